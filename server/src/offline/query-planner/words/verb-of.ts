/** The verb behind a form of it: "shipped" and "shipping" are "ship", "delivered" is "deliver". */
export function verbOf(word: string): string {
  const cut = word.replace(/(ed|ing)$/, "");
  if (cut === word || cut.length < 3) return word;
  return /([bdgklmnprt])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}
