import type { SourceText } from "../app/source-text.ts";
import type { Report } from "../contract.ts";

/** References that look almost right: `${AGENT: Name}`, `{AGENT: Name}`, `${@AGENT: Name}`, `{{@AGENT: Name}}`, `@AGENT: Name`. */
export function* wrongReferences(
  source: SourceText,
  kind: "AGENT" | "TOOL",
  names: ReadonlySet<string>,
): Iterable<Report> {
  const pattern = new RegExp(
    `\\$\\{@?${kind}:([^{}]*)\\}|(?<!\\$)\\{+@?${kind}:([^{}]*)\\}+|(?<!\\{)@${kind}:[ ]*(\\w+)`,
    "g",
  );
  const right = new RegExp(`^\\{@${kind}:[^{}]*\\}$`);
  for (const match of source.text.matchAll(pattern)) {
    const [text] = match;
    if (right.test(text)) continue;
    const name = (match[1] ?? match[2] ?? match[3] ?? "").trim();
    const reference = `{@${kind}: ${name}}`;
    const edit = { file: source.file, start: match.index, end: match.index + text.length, text: reference };
    const isKnown = names.has(name);
    yield {
      place: source.placeAt(match.index),
      message: `'${text}' is no reference: write ${reference}`,
      ...(isKnown && { fix: [edit] }),
    };
  }
}
