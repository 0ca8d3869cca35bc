import { type ReactNode, useEffect, useRef } from "react";

/** What tabs and bookmarks are called while no page has a heading. */
const NAME = "Frontdesk";

/** The heading of a page, by which the browser's tab is called, too. */
export function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [heading.current?.textContent, NAME].filter(Boolean).join(" · ");
  });
  useEffect(
    () => () => {
      document.title = NAME;
    },
    [],
  );
  return <h1 ref={heading}>{children}</h1>;
}
