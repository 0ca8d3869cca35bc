/** An identifier as PostgreSQL reads it, whatever it contains. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
