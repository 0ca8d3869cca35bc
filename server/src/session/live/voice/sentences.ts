/** Longest text of one synthesis request, characters. */
const LONGEST = 400;

/**
 * Splits a text into sentences, so that the first is played while the next is synthesized. Markdown
 * marks are removed, because they would be read aloud.
 */
export function sentencesOf(text: string): readonly string[] {
  const plain = stripMarkdown(text).replaceAll(/\s+/g, " ").trim();
  const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(plain)];
  return sentences.flatMap(({ segment }) => cut(segment.trim())).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
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
