/** Longest text of one synthesis request, characters. */
const LONGEST = 400;

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "sentence" });

/**
 * Splits a text into sentences, so that the first is played while the next is synthesized. Markdown
 * marks are removed, because they would be read aloud.
 */
export function sentencesOf(text: string): readonly string[] {
  const plain = stripMarkdown(text).replaceAll(/\s+/g, " ").trim();
  return [...SEGMENTER.segment(plain)]
    .flatMap(({ segment }) => cut(segment.trim()))
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** How far back the end of a sentence or the begin of a mark is looked for in a text that is still written, characters. */
const LOOKED_BACK = 1_000;

/**
 * How much of a text that is still written is sentences that what comes cannot change, characters: those before the last one with a letter, which may
 * go on (`approx. 5 kg`), and before the numbers in front of it, which may be those of a list.
 */
export function finishedSentences(text: string): number {
  const start = Math.max(text.length - LOOKED_BACK, 0);
  const segments = [...SEGMENTER.segment(text.slice(start))];
  const isWords = ({ segment }: Intl.SegmentData) => /\p{L}/u.test(segment);
  const last = segments.findLastIndex(isWords);
  const before = segments.slice(0, Math.max(last, 0)).findLast(isWords);
  return before ? start + before.index + before.segment.length : 0;
}

/** Whether a text may end within a mark that is closed later. */
export function endsWithinMark(text: string): boolean {
  return /[*`]|\[[^\]]*$|\]\([^)]*$|(?<!\S)_/.test(stripMarkdown(text.slice(-LOOKED_BACK)));
}

/**
 * Code, links and emphasis. A mark that is never closed is looked for no further than a thousand characters. Marks of emphasis stand at the edges of words where
 * words have spaces: those within `first_last_name@example.com` or `5*3` belong to it.
 */
const MARKED: readonly RegExp[] = [
  /`{1,3}([^`]{1,1000})`{1,3}/g,
  /\[([^\]]{1,1000})\]\([^)\s]{1,1000}\)/g,
  /(?<![\p{Script=Latin}\p{N}*])\*{1,3}(?!\s)([^*]{1,1000})(?<!\s)\*{1,3}(?![\p{Script=Latin}\p{N}*])/gu,
  /(?<![\p{Script=Latin}\p{N}_])_{1,3}(?!\s)([^_]{1,1000})(?<!\s)_{1,3}(?![\p{Script=Latin}\p{N}_])/gu,
];

function stripMarkdown(text: string): string {
  const unmarked = text
    .replaceAll(/^[ \t]*(?:[-*•]|#{1,6})[ \t]+/gm, "")
    // The point would end a sentence, which is a request and a pause of its own.
    .replaceAll(/^[ \t]*(\d{1,3})[.)][ \t]+(?=\S)/gm, "$1: ");
  return MARKED.reduce((rest, marked) => rest.replaceAll(marked, "$1"), unmarked).replaceAll(
    /([^.!?:;,\s])\n/g,
    "$1. ",
  );
}

/** Long sentences are split at commas or, without any, at spaces. */
function cut(sentence: string): readonly string[] {
  if (sentence.length <= LONGEST) return [sentence];
  const head = sentence.slice(0, LONGEST);
  const at = Math.max(head.lastIndexOf(", ") + 1, 0) || head.lastIndexOf(" ") || LONGEST;
  const end = at > 0 ? at : LONGEST;
  return [sentence.slice(0, end).trim(), ...cut(sentence.slice(end).trim())];
}
