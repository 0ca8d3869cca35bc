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

function stripMarkdown(text: string): string {
  return text
    .replaceAll(/^\s*(?:[-*•]|#{1,6})\s+/gm, "")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, "$1")
    .replaceAll(/([^.!?:;,\s])\n/g, "$1. ");
}

/** Long sentences are split at commas or, without any, at spaces. */
function cut(sentence: string): readonly string[] {
  if (sentence.length <= LONGEST) return [sentence];
  const head = sentence.slice(0, LONGEST);
  const at = Math.max(head.lastIndexOf(", ") + 1, 0) || head.lastIndexOf(" ") || LONGEST;
  const end = at > 0 ? at : LONGEST;
  return [sentence.slice(0, end).trim(), ...cut(sentence.slice(end).trim())];
}
