import { type CompiledQuery, type Expression, type SqlBool, sql } from "kysely";
import { unreachable } from "#base";
import type { ConversationCondition, ConversationQuery } from "./contract.ts";
import type { Engine } from "./engine.ts";
import type { StoredConversation } from "./tables.ts";

/** A row with the answer (0 or 1) to each search of the query: `found_0`, `found_1`, … */
export type ListedRow = StoredConversation & Readonly<Record<`found_${number}`, number>>;

/** The words of a search, in any script: runs of letters, marks and digits. */
export function searchWords(search: string): readonly string[] {
  return search.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether a query reads the words of turns. */
export function readsWords({ where, searches = [] }: ConversationQuery): boolean {
  return searches.length > 0 || (where !== undefined && hasSearch(where));
}

/** The query of a page of conversations, and of one row more. */
export function selectConversations(engine: Engine, query: ConversationQuery): CompiledQuery<ListedRow> {
  const { app, sources, where, searches = [], after, limit } = query;
  let select = engine.queries.selectFrom("conversations").selectAll().where("app", "=", app).where("hidden", "=", 0);
  if (sources.length > 0) select = select.where("source", "in", sources);
  if (where) select = select.where(toSql(engine, where));
  if (after)
    select = select.where(sql<SqlBool>`(${sql.ref("start_time")}, ${sql.ref("name")}) < (${after[0]}, ${after[1]})`);
  const answers = searches.map((words, at) =>
    sql<number>`case when ${hasWords(engine, words)} then 1 else 0 end`.as(`found_${at}`),
  );
  const ordered = select.select(answers).orderBy("start_time", "desc").orderBy("name", "desc");
  // The names of the answers are made above.
  return ordered.limit(limit + 1).compile() as unknown as CompiledQuery<ListedRow>;
}

function toSql(engine: Engine, condition: ConversationCondition): Expression<SqlBool> {
  switch (condition.kind) {
    case "and":
    case "or": {
      const operands = condition.operands.map((each) => toSql(engine, each));
      return sql<SqlBool>`(${sql.join(operands, condition.kind === "and" ? sql` and ` : sql` or `)})`;
    }
    case "not":
      return sql<SqlBool>`not (${toSql(engine, condition.operand)})`;
    case "search":
      return hasWords(engine, condition.words);
    case "name":
      return sql<SqlBool>`${sql.ref("name")} = ${condition.name}`;
    case "start": {
      const { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = condition;
      return sql<SqlBool>`${sql.ref("start_time")} between ${from} and ${to}`;
    }
    case "column": {
      const { column, comparator, value } = condition;
      return sql<SqlBool>`${sql.ref(column)} ${sql.raw(comparator)} ${value}`;
    }
    default:
      return unreachable(condition);
  }
}

/** Whether the conversation has all words of a search; false without a word. */
function hasWords({ search }: Engine, text: string) {
  const words = searchWords(text).map(search.hasWord);
  return words.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(words, sql` and `)})`;
}

function hasSearch(condition: ConversationCondition): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.operands.some(hasSearch);
    case "not":
      return hasSearch(condition.operand);
    default:
      return condition.kind === "search";
  }
}
