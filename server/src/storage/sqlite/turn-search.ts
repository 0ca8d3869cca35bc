import { type Expression, type SqlBool, sql } from "kysely";
import type { Step } from "../engine.ts";

/** Turns indexed before a search: more than idle moments leave under an ordinary load; about a tenth of a second. */
export const SEARCH_PIECE = 2_000;

/**
 * Takes the oldest turns that the index does not have yet into it. Indexing costs more than storing a turn does, so it is no part of that:
 * it runs when the writer is idle, and before a search. Changes no row when nothing is left.
 */
export function indexTurns(limit: number): readonly Step[] {
  const next =
    "select id, conversation, text from turns where id > (select last_turn from turn_words_progress) order by id limit ?";
  return [
    { sql: `insert into turn_words (rowid, conversation, text) ${next}`, parameters: [limit] },
    {
      sql: `update turn_words_progress set last_turn = newest.id from (select max(id) as id from (${next})) as newest where newest.id is not null`,
      parameters: [limit],
    },
  ];
}

/** Finds a row when turns wait to be indexed. */
export const WAITING_TURNS = {
  sql: "select 1 from turns where id > (select last_turn from turn_words_progress) limit 1",
  parameters: [],
};

/** Whether a turn of the outer query's conversation has a word that begins with this one. */
export function hasWord(word: string): Expression<SqlBool> {
  const match = `"${word.replaceAll('"', '""')}"*`;
  return sql<SqlBool>`conversations.id in (select conversation from turn_words where turn_words match ${match})`;
}
