/** What one client of a session did and got. Its turns are sent one after the other; each text is sent once, by one client. */
export interface ClientHistory {
  readonly sent: string[];
  /** Texts whose answers arrived, in order. */
  readonly answered: string[];
}

/** What all clients of a session did and got. */
export interface SessionHistory {
  readonly session: string;
  readonly clients: readonly ClientHistory[];
}

/**
 * What is wrong with the stored turns of a session: an answered turn that is missing or doubled, turns of a client out of order, or a turn that nobody sent. A turn
 * whose answer did not arrive may be stored or not, once.
 */
export function violationsOf({ session, clients }: SessionHistory, stored: readonly string[]): readonly string[] {
  const known = new Set(clients.flatMap(({ sent }) => sent));
  const seen = new Set<string>();
  const found: string[] = [];
  for (const text of stored) {
    if (!known.has(text)) found.push(`${session}: '${text}' is stored and was never sent`);
    if (seen.has(text)) found.push(`${session}: '${text}' is stored twice`);
    seen.add(text);
  }
  for (const text of clients.flatMap(({ answered }) => answered))
    if (!seen.has(text)) found.push(`${session}: '${text}' was answered and is not stored`);
  if (found.length > 0) return found;
  return clients.flatMap(({ answered }) => {
    const kept = new Set(answered);
    const order = stored.filter((text) => kept.has(text));
    const wrong = order.findIndex((text, at) => text !== answered[at]);
    return wrong < 0 ? [] : [`${session}: '${order[wrong]}' is stored where '${answered[wrong]}' was answered`];
  });
}
