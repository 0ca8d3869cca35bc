import type { StreamPart } from "../contract.ts";

/**
 * Text that arrived together is one part: whoever reads the answer gets it no later, and each part passes through every layer up to
 * the wire. A part with a signature stays as it is.
 */
export function joinTexts(parts: readonly StreamPart[]): readonly StreamPart[] {
  const joined: StreamPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && isPlainText(part) && isPlainText(last) && part.kind === last.kind)
      joined[joined.length - 1] = { kind: part.kind, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

type TextPart = Extract<StreamPart, { readonly text: string }>;

function isPlainText(part: StreamPart): part is TextPart {
  return part.kind === "thought-delta" || (part.kind === "text-delta" && part.signature === undefined);
}
