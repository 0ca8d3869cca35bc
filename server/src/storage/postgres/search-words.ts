import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { FoundTurn } from "../engine.ts";
import { foldedWords } from "../folded-words.ts";

/** PostgreSQL refuses words of 2 KiB and vectors of 1 MiB: longer words are cut, further ones left out. */
const MAX_WORD = 250;
const MAX_BYTES = 500_000;

/** The distinct words of a text, as the index has them: without case and accents. */
export function toSearchWords(text: string): readonly string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const word of foldedWords(text)) {
    const kept = word.slice(0, MAX_WORD);
    if (words.has(kept)) continue;
    bytes += Buffer.byteLength(kept) + 8;
    if (bytes > MAX_BYTES) break;
    words.add(kept);
  }
  return [...words];
}

/** With this collation, `lower` leaves all letters but those of ASCII, as SQLite's does. */
export function hasText(text: string): RawBuilder<SqlBool> {
  return sql`strpos(lower(turns.text collate "C"), lower(${text}::text collate "C")) > 0`;
}

/** The conversations of the turns that have a word that begins with this one. */
export function withWord(word: string): RawBuilder<FoundTurn> {
  return sql`select conversation from turns where words @@ ${prefixQuery(word)}::tsquery`;
}

/** Whether the conversation has such a turn. Without the offset the planner would look for all turns that have the word. */
export function hasWord(word: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from turns where turns.conversation = conversations.id and words @@ ${prefixQuery(word)}::tsquery offset 0)`;
}

/** The planner guesses how many turns have a word that begins so, and is wrong by far: up to this many ids it is told. */
export const RARE = 20_000;

/** Whether the conversation is one of these. */
export function isOneOf(ids: readonly number[]): RawBuilder<SqlBool> {
  return sql`conversations.id = any(${ids}::bigint[])`;
}

function prefixQuery(word: string): string {
  const [prefix = ""] = toSearchWords(word);
  return `'${prefix.replaceAll("'", "''").replaceAll("\\", "\\\\")}':*`;
}
