/** A word of a command line to copy, in quotes where a shell would read it otherwise. */
export function shellWord(text: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
