import {
  type CompiledQuery,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { unreachable } from "#base";
import type { ConversationCondition, ConversationQuery, TextSearch } from "./contract.ts";
import type { Engine, FoundTurn } from "./engine.ts";
import type { StoredConversation, Tables } from "./tables.ts";

/**
 * A row with the answer (0 or 1) to each search of the query: `found_0`, `found_1`, …. Where only a part of the conversations was read, `nth` counts them, and the last one of the part is a row
 * even if it is not of the list: then `listed` is 0.
 */
export type ListedRow = StoredConversation &
  Readonly<Record<`found_${number}`, number>> & { readonly nth?: number; readonly listed?: number };

/** The words of a search, in any script: runs of letters, marks and digits. */
export function searchWords(search: string): readonly string[] {
  return search.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether a query reads the words of turns. */
export function readsWords({ where, searches = [] }: ConversationQuery): boolean {
  return searches.length > 0 || (where !== undefined && wordsOf(where).length > 0);
}

/** The conversations (ids) of the words that no more turns have than a search tells one by one. */
type RareWords = ReadonlyMap<string, readonly number[]>;

/** Conversations of which those with, or without, a frequent word are searched at a time (DB-42). */
export const PART = 10_000;

/**
 * Looks up the words that the conversations of a query are chosen by. A planner does not know how rare a word is, and would read all conversations, the latest
 * first, until the page is full: seconds of a million. By their ids they are found at once; and where a word is frequent, that page is soon full.
 */
export async function findRareWords(
  { queries, search, late }: Engine,
  { where }: ConversationQuery,
  signal?: AbortSignal,
): Promise<RareWords> {
  const words = new Set(where && wordsOf(where));
  const found = await Promise.all(
    [...words].map(async (word) => {
      const found = sql<FoundTurn>`${search.withWord(word)} limit ${search.rare + 1}`;
      const turns = await late(found.compile(queries), signal);
      return [word, turns] as const;
    }),
  );
  const rare = found.filter(([, turns]) => turns.length <= search.rare);
  return new Map(rare.map(([word, turns]) => [word, [...new Set(turns.map(({ conversation }) => conversation))]]));
}

/** The query of a page of conversations, and of one row more. With a frequent word in its conditions it reads `PART` of them at most. */
export function selectConversations(
  engine: Engine,
  query: ConversationQuery,
  rareWords: RareWords,
): CompiledQuery<ListedRow> {
  const { app, sources, where, searches = [], after, limit } = query;
  const words: Words = { search: engine.search, rareWords };
  let select = engine.queries.selectFrom("conversations").selectAll().where("app", "=", app).where("hidden", "=", 0);
  if (sources.length > 0) select = select.where("source", "in", sources);
  if (after)
    select = select.where(sql<SqlBool>`(${sql.ref("start_time")}, ${sql.ref("name")}) < (${after[0]}, ${after[1]})`);
  const answers = searches.map((search, at) =>
    sql<number>`case when ${isFound(words, search)} then 1 else 0 end`.as(`found_${at}`),
  );
  const isOfList = where && toSql(words, where);
  if (isOfList && wordsOf(where).some((word) => !rareWords.has(word))) {
    const part = inOrder(select.select(NTH)).limit(PART).as("conversations");
    const listed = sql<number>`case when ${isOfList} then 1 else 0 end`.as("listed");
    const rows = engine.queries
      .selectFrom(part)
      .selectAll()
      .select([...answers, listed]);
    const isShown = sql<SqlBool>`(${isOfList} or nth = ${PART})`;
    const shown = rows.where(isShown);
    return compiled((engine.search.keepsOrder ? shown : inOrder(shown)).limit(limit + 1));
  }
  if (isOfList) select = select.where(engine.whileInTime("conversations.id")).where(isOfList);
  return compiled(inOrder(select.select(answers)).limit(limit + 1));
}

const NTH = sql<number>`row_number() over (order by start_time desc, name desc)`.as("nth");

/** The newest first. */
function inOrder<Query extends Pick<SelectQueryBuilder<Tables, "conversations", object>, "orderBy">>(
  query: Query,
): Query {
  return query.orderBy("start_time", "desc").orderBy("name", "desc") as unknown as Query;
}

/** The names of the answers are made above. */
function compiled(query: { compile(): CompiledQuery<unknown> }): CompiledQuery<ListedRow> {
  return query.compile() as CompiledQuery<ListedRow>;
}

/** How conditions ask for words. */
interface Words extends Pick<Engine, "search"> {
  readonly rareWords: RareWords;
}

function toSql(words: Words, condition: ConversationCondition): Expression<SqlBool> {
  switch (condition.kind) {
    case "and":
    case "or": {
      const operands = condition.operands.map((each) => toSql(words, each));
      return sql<SqlBool>`(${sql.join(operands, condition.kind === "and" ? sql` and ` : sql` or `)})`;
    }
    case "not":
      return sql<SqlBool>`not (${toSql(words, condition.operand)})`;
    case "search":
      return isFound(words, condition);
    case "name":
      return sql<SqlBool>`${sql.ref("name")} = ${condition.name}`;
    case "time": {
      const { column, from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = condition;
      return sql<SqlBool>`${sql.ref(column)} between ${from} and ${to}`;
    }
    case "column": {
      const { column, comparator, value } = condition;
      return sql<SqlBool>`${sql.ref(column)} ${sql.raw(comparator)} ${value}`;
    }
    default:
      return unreachable(condition);
  }
}

/** Whether the conversation has all words of a search, and, where that is asked, its text in one turn; false without a word. */
function isFound(words: Words, { words: text, isExact = false }: TextSearch) {
  const found = searchWords(text).map((word) => hasWord(words, word));
  if (found.length === 0) return sql<SqlBool>`1 = 0`;
  if (isExact)
    found.push(
      sql`exists (select 1 from turns where turns.conversation = conversations.id and ${words.search.hasText(text)})`,
    );
  return sql<SqlBool>`(${sql.join(found, sql` and `)})`;
}

function hasWord({ search, rareWords }: Words, word: string): RawBuilder<SqlBool> {
  const ids = rareWords.get(word);
  if (ids) return search.isOneOf(ids);
  return search.hasWord(word);
}

/** The words that a condition searches for. */
function wordsOf(condition: ConversationCondition): readonly string[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.operands.flatMap(wordsOf);
    case "not":
      return wordsOf(condition.operand);
    default:
      return condition.kind === "search" ? searchWords(condition.words) : [];
  }
}
