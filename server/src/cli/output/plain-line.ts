/** A text of others on one line of the terminal: its control characters must not move the cursor. */
export function plainLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ");
}
