/** Tells whether a text has all words of a search, in any case and order. */
export function wordFinder(find: string): (text: string) => boolean {
  const words = find.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLocaleLowerCase();
    return words.every((word) => lower.includes(word));
  };
}
