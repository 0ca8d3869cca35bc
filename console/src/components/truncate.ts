/** The beginning of a text, with a sign that there is more. */
export function truncate(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} …` : text;
}
