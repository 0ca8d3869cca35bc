import { type CompiledQuery, type Expression, type SqlBool, sql } from "kysely";
import { unreachable } from "#base";
import type { ConversationCondition, ConversationQuery, TextSearch } from "./contract.ts";
import type { Engine, FoundTurn } from "./engine.ts";
import type { StoredConversation } from "./tables.ts";

/** A row with the answer (0 or 1) to each search of the query: `found_0`, `found_1`, … */
export type ListedRow = StoredConversation & Readonly<Record<`found_${number}`, number>>;

/** The words of a search, in any script: runs of letters, marks and digits. */
export function searchWords(search: string): readonly string[] {
  return search.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether a query reads the words of turns. */
export function readsWords({ where, searches = [] }: ConversationQuery): boolean {
  return searches.length > 0 || (where !== undefined && wordsOf(where).length > 0);
}

/** The conversations (ids) of the words that few turns have. */
type RareWords = ReadonlyMap<string, readonly number[]>;

/** Most turns with a word that is rare. */
const RARE = 500;

/**
 * The rare words among those that the conversations of a query are chosen by. A planner does not know that a word is rare, and would read all conversations, the latest
 * first, until the page is full: about a second of a million, ten without statistics of the table. By their ids they are found at once; and where a word is frequent, that page is soon full.
 */
export async function findRareWords(engine: Engine, { where }: ConversationQuery): Promise<RareWords> {
  const words = new Set(where && wordsOf(where));
  const found = await Promise.all(
    [...words].map(async (word) => {
      const turns = await engine.late(
        sql<FoundTurn>`${engine.search.withWord(word)} limit ${RARE + 1}`.compile(engine.queries),
      );
      return [word, turns] as const;
    }),
  );
  const rare = found.filter(([, turns]) => turns.length <= RARE);
  return new Map(rare.map(([word, turns]) => [word, [...new Set(turns.map(({ conversation }) => conversation))]]));
}

/** The query of a page of conversations, and of one row more. */
export function selectConversations(
  engine: Engine,
  query: ConversationQuery,
  rareWords: RareWords,
): CompiledQuery<ListedRow> {
  const { app, sources, where, searches = [], after, limit } = query;
  const words: Words = { search: engine.search, rareWords };
  let select = engine.queries.selectFrom("conversations").selectAll().where("app", "=", app).where("hidden", "=", 0);
  if (sources.length > 0) select = select.where("source", "in", sources);
  if (where) select = select.where(engine.whileInTime("conversations.id")).where(toSql(words, where));
  if (after)
    select = select.where(sql<SqlBool>`(${sql.ref("start_time")}, ${sql.ref("name")}) < (${after[0]}, ${after[1]})`);
  const answers = searches.map((search, at) =>
    sql<number>`case when ${isFound(words, search)} then 1 else 0 end`.as(`found_${at}`),
  );
  const ordered = select.select(answers).orderBy("start_time", "desc").orderBy("name", "desc");
  // The names of the answers are made above.
  return ordered.limit(limit + 1).compile() as unknown as CompiledQuery<ListedRow>;
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

function hasWord({ search, rareWords }: Words, word: string) {
  const ids = rareWords.get(word);
  if (!ids) return sql<SqlBool>`conversations.id in (${search.withWord(word)})`;
  return ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`conversations.id in (${sql.join(ids)})`;
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
