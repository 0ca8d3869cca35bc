import { QueryError, type QueryRequest, type SqlSource } from "../contract.ts";
import { type Rejection, rejected, rejectionMessage } from "./statement-check.ts";

/** Limits of a statement (CA-32), before a parser sees it: the time of parsers grows faster than their input, and their stack with its depth. */
const MOST = { characters: 200_000, parentheses: 200, conditions: 1_000, items: 10_000 } as const;

/** What is counted; texts, quoted names and comments are skipped whole. A comment that is not closed is one to the end: each of many would be searched for its end. */
const PART =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|[([{]|[)\]}]|,|\b(?:and|or|case|not)\b/gi;

/** Why a statement is too large; undefined for the others. */
export function oversize(sql: string): Rejection | undefined {
  if (sql.length > MOST.characters)
    return rejected(`a statement of ${sql.length} characters`, `the limit is ${MOST.characters}`);
  let [depth, deepest, conditions, items] = [0, 0, 0, 0];
  for (const [part] of sql.matchAll(PART)) {
    if (part.startsWith("/*") && (part.length < 4 || !part.endsWith("*/")))
      return rejected("a comment without an end", "write */ behind it");
    if (/^[([{]$/.test(part)) deepest = Math.max(deepest, ++depth);
    else if (/^[)\]}]$/.test(part)) depth--;
    else if (part === ",") items++;
    else if (/^[a-z]/i.test(part)) conditions++;
  }
  if (deepest > MOST.parentheses)
    return rejected(`a statement with ${deepest} parentheses inside each other`, `the limit is ${MOST.parentheses}`);
  if (conditions > MOST.conditions)
    return rejected(`a statement with ${conditions} conditions`, `the limit is ${MOST.conditions}; IN takes a list`);
  if (items > MOST.items) return rejected(`a statement with ${items} items in lists`, `the limit is ${MOST.items}`);
  return undefined;
}

/** The source, which takes no statement above the limits. */
export function withStatementLimits<Source extends SqlSource>(source: Source): Source {
  return {
    ...source,
    check: async (sql, parameters, signal, views) => oversize(sql) ?? source.check(sql, parameters, signal, views),
    explain: async (request) => source.explain(ofLimitedSize(request)),
    query: async (request) => source.query(ofLimitedSize(request)),
  };
}

function ofLimitedSize(request: QueryRequest): QueryRequest {
  const tooLarge = oversize(request.sql);
  if (tooLarge) throw new QueryError("rejected", rejectionMessage(tooLarge));
  return request;
}
