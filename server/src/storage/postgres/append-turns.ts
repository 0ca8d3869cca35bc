import type { AppendedTurn } from "../engine.ts";
import { toSearchWords } from "./search-words.ts";

/**
 * Stores many turns, each with its head and its exports, in one statement, which is one round trip and one commit (DB-3). Each turn has its own
 * outcome: it is stored when its lease is still the one that it began with, and the stored turn count is the previous one. Leases are locked in the
 * order of their names, so that two batches never wait for each other. The names that are returned were stored.
 */
const APPEND = `
with input as materialized (
  select * from json_to_recordset($1::json) as i(
    name text, token text, app text, start_time float8, end_time float8, turn_count int, source int, input_types text, entry_agent text,
    deployment text, app_version text, language_code text, state text, hidden int, due_time float8,
    extra text, text text, words text[], withheld int, body_from int, body_bytes int)
), fence as materialized (
  select l.session from leases l join input i on i.name = l.session and i.token = l.token order by l.session for update of l
), allowed as materialized (
  select i.* from input i where i.token is null or i.name in (select session from fence)
), opened as (
  insert into conversations (name, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version,
    language_code, state, hidden, due_time)
  select name, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version,
    language_code, state, hidden, due_time
  from allowed where turn_count = 1 order by name
  on conflict (name) do nothing
  returning id, name
), continued as (
  update conversations c set end_time = a.end_time, turn_count = a.turn_count, source = a.source, input_types = a.input_types,
    entry_agent = a.entry_agent, deployment = a.deployment, app_version = a.app_version, language_code = a.language_code,
    state = a.state, hidden = a.hidden, due_time = a.due_time
  from allowed a where a.turn_count > 1 and c.name = a.name and c.turn_count = a.turn_count - 1
  returning c.id, c.name
), heads as (
  select id, name from opened union all select id, name from continued
), stored as (
  insert into turns (conversation, turn_index, body, extra, text, words, withheld)
  select h.id, a.turn_count, substring($2::bytea from a.body_from for a.body_bytes), a.extra, a.text, array_to_tsvector(a.words), a.withheld
  from heads h join allowed a on a.name = h.name
), exported as (
  insert into exports (destination, app, created_time, bytes, body)
  select e.destination, e.app, e.created_time, e.bytes, e.body
  from json_to_recordset($3::json) as e(at int, name text, destination text, app text, created_time float8, bytes int, body text)
  join heads h on h.name = e.name order by e.at
), released as (
  update leases l set held = false, used_time = clock_timestamp() from fence f where l.session = f.session
)
select name from heads`;

/** The statement that stores these turns. No two of them are of the same conversation. */
export function appendStatement(turns: readonly AppendedTurn[]): { sql: string; parameters: readonly unknown[] } {
  const bodies = Buffer.concat(turns.map(({ body }) => body));
  let from = 1;
  const heads = turns.map(({ head, body, extra, text, token, ...turn }) => {
    const place = { body_from: from, body_bytes: body.byteLength };
    const row = { ...head, extra, text, words: toSearchWords(text), withheld: turn.withheld ? 1 : 0, ...place };
    from += body.byteLength;
    return token === undefined ? row : { ...row, token };
  });
  const exports = turns.flatMap(({ head, exports: rows }) => rows.map((row) => ({ ...row, name: head.name })));
  const numbered = exports.map((row, at) => ({ ...row, at }));
  return { sql: APPEND, parameters: [toJson(heads), bodies, toJson(numbered)] };
}

/** JSON whose texts PostgreSQL can store: it has no NUL. */
function toJson(rows: readonly object[]): string {
  const json = JSON.stringify(rows);
  return json.includes("\\u0000")
    ? JSON.stringify(rows, (_key, value) => (typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value))
    : json;
}
