import { definedFields } from "#base";
import type { ConversationHead } from "./contract.ts";
import type { HeadValues, StoredConversation } from "./tables.ts";

/** A head as a row, with another turn count. */
export function toStored(head: ConversationHead, turnCount: number): HeadValues {
  return {
    name: head.name,
    app: head.app,
    start_time: head.startTime,
    end_time: head.endTime,
    turn_count: turnCount,
    source: head.source,
    input_types: JSON.stringify(head.inputTypes),
    entry_agent: head.entryAgent,
    deployment: head.deployment,
    app_version: head.appVersion,
    language_code: head.languageCode,
    state: head.state,
    hidden: head.hidden ? 1 : 0,
    due_time: head.dueTime ?? null,
  };
}

/** A row as a head. */
export function toHead(row: StoredConversation): ConversationHead {
  return definedFields({
    name: row.name,
    app: row.app,
    startTime: row.start_time,
    endTime: row.end_time,
    turnCount: row.turn_count,
    source: row.source,
    // Written by `toStored` from numbers.
    inputTypes: JSON.parse(row.input_types) as number[],
    entryAgent: row.entry_agent,
    deployment: row.deployment,
    appVersion: row.app_version,
    languageCode: row.language_code,
    state: row.state,
    hidden: row.hidden === 1 || undefined,
    dueTime: row.due_time ?? undefined,
  });
}
