/** The words of a text as the indexes have them: without case and accents, in order. */
export function* foldedWords(text: string): Generator<string, void> {
  const folded = text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
  for (const [word] of folded.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) yield word;
}
