import { lazy, Suspense, useState } from "react";

type Markdown = typeof import("./markdown.tsx").default;

let loaded: Markdown | undefined;
const load = async () => {
  const module = await import("./markdown.tsx");
  loaded = module.default;
  return module;
};
const LazyMarkdown = lazy(load);
// Beside the page: an answer that was shown as it was written would move what is below. What fails is tried again with the answer.
load().catch(() => undefined);

/** Text as Markdown; as it was written until the code that shows it is there. */
export function LateMarkdown({ text }: { readonly text: string }) {
  const [Markdown] = useState(() => loaded ?? LazyMarkdown);
  return (
    <Suspense fallback={<p>{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  );
}
