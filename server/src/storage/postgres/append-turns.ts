import type { AppendedTurn } from "../engine.ts";
import { toSearchWords } from "./search-words.ts";

const APPEND = "select append_turns($1::json, $2::bytea, $3::json) as name";

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
