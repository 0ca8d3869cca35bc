/** What the client of one session did and got. Its turns are sent one after the other; each text is sent once. */
export interface SessionHistory {
  readonly session: string;
  readonly sent: string[];
  /** Texts whose answers arrived, in order. */
  readonly answered: string[];
}

/**
 * What is wrong with the stored turns of a session: an answered turn that is missing, doubled or out of order, or a turn that nobody sent. A turn
 * whose answer did not arrive may be stored or not, once.
 */
export function violationsOf(
  { session, sent, answered }: SessionHistory,
  stored: readonly string[],
): readonly string[] {
  const known = new Set(sent);
  const seen = new Set<string>();
  const found: string[] = [];
  for (const text of stored) {
    if (!known.has(text)) found.push(`${session}: '${text}' is stored and was never sent`);
    if (seen.has(text)) found.push(`${session}: '${text}' is stored twice`);
    seen.add(text);
  }
  for (const text of answered) if (!seen.has(text)) found.push(`${session}: '${text}' was answered and is not stored`);
  const kept = new Set(answered);
  const order = stored.filter((text) => kept.has(text));
  const wrong = order.findIndex((text, at) => text !== answered[at]);
  if (found.length === 0 && wrong >= 0)
    found.push(`${session}: '${order[wrong]}' is stored where '${answered[wrong]}' was answered`);
  return found;
}
