import type { Step } from "../engine.ts";
import { indexTurns } from "./turn-search.ts";

/** Turns handled in one piece: a write that arrives meanwhile waits about two milliseconds. */
const PIECE = 50;

/** What the writer does when it is idle, repeated until no row changes: work that no turn should wait for. */
export function upkeep(): readonly Step[] {
  return [...indexTurns(PIECE), ...clearRemovedTurns(PIECE)];
}

/**
 * Deletes turns of removed conversations. Removing the heads takes a conversation away at once; its turns can be many, and
 * deleting those of a large app in one transaction would keep every other session waiting for seconds.
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
