import type { Citation } from "@frontdesk/protos/gda/context";

/** Address of a source within the answer, for marks in the text. */
export const SOURCE_PREFIX = "#source-";

/**
 * The text of a message as Markdown with a mark at the end of each cited place: `[1](#source-…)`. Anchors count bytes of
 * one part (CitationAnchor); the number is the source's place in the list.
 */
export function citedText(parts: readonly string[], citation: Citation | undefined): string {
  const marks = (citation?.anchors ?? []).flatMap(({ anchorType }) =>
    anchorType.case === "textMessageAnchor" ? [anchorType.value] : [],
  );
  return parts
    .map((part, at) => {
      const own = marks
        .filter(({ partIndex }) => partIndex === at)
        .toSorted((left, right) => right.endOffsetBytes - left.endOffsetBytes);
      return own.reduce(
        (text, { endOffsetBytes, sourceIds }) => inserted(text, endOffsetBytes, marksOf(sourceIds, citation)),
        part,
      );
    })
    .join("");
}

function marksOf(ids: readonly string[], citation: Citation | undefined): string {
  return ids
    .map((id) => (citation?.sources ?? []).findIndex((source) => source.id === id))
    .filter((at) => at >= 0)
    .map((at) => ` [${at + 1}](${SOURCE_PREFIX}${at + 1})`)
    .join("");
}

function inserted(text: string, offsetBytes: number, mark: string): string {
  const bytes = new TextEncoder().encode(text);
  const before = new TextDecoder().decode(bytes.slice(0, offsetBytes));
  return before + mark + text.slice(before.length);
}
