import { diffLines as compare } from "diff";

/** A line of a comparison. A gap replaces unchanged lines. */
export interface DiffLine {
  readonly key: string;
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  readonly left?: number | undefined;
  readonly right?: number | undefined;
}

/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/** Edits after which the search for the shortest diff stops and the whole text counts as replaced. */
const MAX_EDITS = 4_000;

/** What became of a text, line by line; empty when nothing did. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  if (before === after) return [];
  const parts = compare(before, after, { maxEditLength: MAX_EDITS, ignoreNewlineAtEof: true }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  let left = 1;
  let right = 1;
  const lines = parts.flatMap(({ value, added, removed }): DiffLine[] =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => {
        const kind = added ? "added" : removed ? "removed" : "same";
        const place = { left: added ? undefined : left++, right: removed ? undefined : right++ };
        return { key: `${kind}${place.left ?? ""}.${place.right ?? ""}`, kind, text, ...place };
      }),
  );
  return folded(lines);
}

function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ kind }, at) => {
    if (kind !== "same") near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  return lines.flatMap((line, at) => {
    if (near[at]) return [line];
    if (at > 0 && !near[at - 1]) return [];
    let end = at;
    while (end < lines.length && !near[end]) end++;
    const count = end - at;
    return [{ key: `gap${at}`, kind: "gap" as const, text: `${count} unchanged ${count === 1 ? "line" : "lines"}` }];
  });
}
