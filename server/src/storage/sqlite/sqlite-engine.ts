import {
  DummyDriver,
  type Expression,
  Kysely,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { Logger } from "#base";
import type { Engine, FoundTurn } from "../engine.ts";
import { StorageError } from "../errors.ts";
import { foldedWords } from "../folded-words.ts";
import { storageFailed } from "../storage-failed.ts";
import type { Tables } from "../tables.ts";
import type { Reader } from "./connections.ts";
import type { ListReader } from "./list-reader.ts";
import { indexTurns, SEARCH_PIECE, UNINDEXED_TURNS } from "./maintenance.ts";
import { toStorageError } from "./to-storage-error.ts";
import type { Writer } from "./writer.ts";

/** The connections of a data folder. */
interface DataConnections {
  readonly reader: Reader;
  readonly lists: ListReader;
  readonly writer: Writer;
}

interface EngineOptions {
  /** The database file, for messages. */
  readonly path: string;
  readonly logger: Logger;
  /** Called with each failure, whether the log has it or not. Default: nothing. */
  readonly onFailure?: (error: StorageError) => void;
}

/** The engine over the connections of a data folder. Storage errors are logged and become status errors for the client. */
export function createSqliteEngine(
  { reader, lists, writer }: DataConnections,
  { path, logger, onFailure = () => {} }: EngineOptions,
): Engine {
  const outage = createOutage(logger);
  const commit: Engine["commit"] = async (steps) => {
    const outcome = await writer.commit(steps).catch((error: StorageError) => fail(error));
    outage.passed();
    return outcome;
  };
  const all: Engine["all"] = async (statement) => {
    try {
      return reader.all(statement);
    } catch (error) {
      return fail(toStorageError(error, path));
    }
  };

  const late: Engine["late"] = (statement, signal) =>
    lists.all(statement, signal).catch((error: unknown) => {
      throw error instanceof StorageError ? fail(error) : error;
    });

  function fail(error: StorageError): never {
    onFailure(error);
    throw storageFailed(error, {
      logger,
      event: "the data folder failed",
      isKnown: error.reason !== "DEFECT" && outage.note(error.reason),
    });
  }

  async function catchUp(): Promise<void> {
    const unindexed = await all(UNINDEXED_TURNS);
    if (unindexed.length > 0) await commit(indexTurns(SEARCH_PIECE));
  }

  // A subquery with an order and a limit is read row by row, in that order.
  const search = { catchUp, withWord, isOneOf, rare: RARE, hasText, hasWord, keepsOrder: true };
  return { queries: createQueries(), all, late, whileInTime, commit, matchesParent, isNamed, search };
}

/** Milliseconds without a failure after which a write that succeeds shows the end of an outage. */
const QUIET_MS = 5_000;

/** A full disk refuses every turn, and each line of the log takes space of it: the log has the begin of each kind of failure, and the end of all. */
function createOutage(logger: Logger) {
  const kinds = new Set<string>();
  let last = 0;
  return {
    /** Whether the log has a failure of this kind. */
    note(kind: string): boolean {
      const isKnown = kinds.has(kind);
      kinds.add(kind);
      last = performance.now();
      return isKnown;
    },
    passed(): void {
      if (kinds.size === 0 || performance.now() - last < QUIET_MS) return;
      kinds.clear();
      logger.info("the data folder works again");
    },
  };
}

/** Kysely as a typed query builder: it only compiles; the connections run the queries. */
function createQueries(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/**
 * Whether a resource's parent matches a name with `-` for some segments. In `glob`, `*` matches slashes too, so the number
 * of slashes is compared as well: when both agree, each wildcard matches exactly one segment.
 */
function matchesParent(pattern: string): Expression<SqlBool> {
  const segments = pattern.split("/");
  const glob = segments.map((segment) => (segment === "-" ? "*" : escapeGlob(segment))).join("/");
  return sql<SqlBool>`(parent glob ${glob} and length(parent) - length(replace(parent, '/', '')) = ${segments.length - 1})`;
}

function isNamed(names: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`name in (select value from json_each(${JSON.stringify(names)}))`;
}

function escapeGlob(segment: string): string {
  return segment.replace(/[*?[]/g, (character) => `[${character}]`);
}

function hasText(text: string): RawBuilder<SqlBool> {
  return sql`instr(lower(turns.text), lower(${text})) > 0`;
}

/** The conversations of the turns that have a word that begins with this one. */
function withWord(word: string): RawBuilder<FoundTurn> {
  const match = `"${word.replaceAll('"', '""')}"*`;
  return sql`select conversation from turn_words where turn_words match ${match} and ${whileInTime("rowid")}`;
}

/** The function is of the threads that read lists (`list-worker.ts`): the index of words would read all that it has of the word, for each conversation. */
function hasWord(word: string): RawBuilder<SqlBool> {
  const [prefix = ""] = foldedWords(word);
  return sql`exists (select 1 from turns where turns.conversation = conversations.id and has_word(turns.text, ${prefix}))`;
}

/** The conversations of more turns are tested one by one, the latest first: a set of all that have the word takes longer. */
const RARE = 20_000;

function isOneOf(ids: readonly number[]): RawBuilder<SqlBool> {
  return sql`conversations.id in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** The function is of the threads that read lists (`list-worker.ts`). */
function whileInTime(id: string): RawBuilder<SqlBool> {
  return sql`(${sql.ref(id)} % 1024 <> 0 or in_time())`;
}
