import type { Step } from "../engine.ts";

/** Turns in one piece of maintenance: a write that arrives meanwhile waits about two milliseconds. */
const PIECE = 50;

/** The write that the writer repeats when it is idle, until it changes no row: work that no turn should wait for. */
export function maintenanceSteps(): readonly Step[] {
  return [...indexTurns(PIECE), ...clearRemovedTurns(PIECE)];
}

/**
 * Deletes the turns of removed conversations. Deleting the head removes a conversation at once; deleting the turns of a large app in the
 * same transaction would make every other session wait for seconds.
 */
function clearRemovedTurns(limit: number): readonly Step[] {
  const oldest = "select id from removed_conversations order by id limit ?";
  return [
    {
      sql: `delete from turns where id in (select id from turns where conversation in (${oldest}) limit ?)`,
      parameters: [limit, limit],
    },
    {
      sql: `delete from removed_conversations where id in (${oldest}) and id not in (select conversation from turns where conversation in (${oldest}))`,
      parameters: [limit, limit],
    },
  ];
}

/** Turns indexed before a search, at most: more than are unindexed under an ordinary load; about a tenth of a second. */
export const SEARCH_PIECE = 2_000;

/**
 * Adds the oldest unindexed turns to the full-text index. Indexing a turn costs more than storing it, so it is not part of the turn's commit:
 * it runs when the writer is idle, and before a search. Changes no row when all turns are indexed.
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

/** Finds a row when there are unindexed turns. */
export const UNINDEXED_TURNS = {
  sql: "select 1 from turns where id > (select last_turn from turn_words_progress) limit 1",
  parameters: [],
};
