/** Whether a sentence of the server says that code does not load: what it belongs to cannot run at all. */
export function doesNotLoad(sentence: string): boolean {
  return /\bdoes not load\b/.test(sentence);
}
