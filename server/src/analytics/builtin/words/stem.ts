const IRREGULAR: Readonly<Record<string, string>> = {
  ...{ people: "person", men: "man", women: "woman", children: "child", sales: "sale", series: "series" },
  ...{ status: "status", revenues: "revenue", statuses: "status", news: "news", this: "this", is: "is", has: "has" },
};

/** A word as it is compared: lower case, without diacritics, singular. English; other languages keep their letters. */
export function stem(word: string): string {
  const plain = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const irregular = IRREGULAR[plain];
  if (irregular) return irregular;
  if (plain.length > 4 && plain.endsWith("ies")) return `${plain.slice(0, -3)}y`;
  if (plain.length > 4 && /(ch|sh|ss|x|zz)es$/.test(plain)) return plain.slice(0, -2);
  if (plain.length > 3 && /[^sui]s$/.test(plain)) return plain.slice(0, -1);
  return plain;
}

/** The verb behind a form of it: "shipped" and "shipping" are "ship", "delivered" is "deliver". */
export function verbOf(word: string): string {
  const cut = word.replace(/(ed|ing)$/, "");
  if (cut === word || cut.length < 3) return word;
  return /([bdgklmnprt])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}
