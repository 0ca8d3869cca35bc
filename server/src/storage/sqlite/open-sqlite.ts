import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Clock, Logger } from "#base";
import { internal, unavailable } from "#status";
import type { Storage } from "../contract.ts";
import { createConversationStore } from "../conversation-store.ts";
import type { Engine } from "../engine.ts";
import { createOperationStore } from "../operation-store.ts";
import { createResourceStore } from "../resource-store.ts";
import type { StorageFault } from "../storage-fault.ts";
import type { Tables } from "../tables.ts";
import { openBlobFolder } from "./blob-folder.ts";
import { describeFault } from "./describe-fault.ts";
import { lockFolder } from "./folder-lock.ts";
import { matchesParent } from "./matches-parent.ts";
import { migrate } from "./migrate.ts";
import { openReader, type Reader } from "./reader.ts";
import { rememberHeads } from "./remember-heads.ts";
import { syncFolder } from "./sync-folder.ts";
import { hasWord, indexTurns, SEARCH_PIECE, WAITING_TURNS } from "./turn-search.ts";
import { upkeep } from "./upkeep.ts";
import { openWriteConnection } from "./write-connection.ts";
import { startWriter, type Writer } from "./writer.ts";

interface SqliteOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onCommit?: (writes: number) => void;
}

/** Opens a data folder, made if it is missing. Throws a `StorageFault` that names the path. */
export async function openSqlite({ dataDir, clock, logger, onCommit }: SqliteOptions): Promise<Storage> {
  const folder = resolve(dataDir);
  const path = join(folder, "frontdesk.db");
  const lock = attempt(folder, () => takeFolder(folder, clock));
  try {
    const blobs = await openBlobFolder(join(folder, "blobs"));
    const reader = attempt(path, () => openMigrated(path, folder, clock));
    const writer = startWriter({ path, upkeep: upkeep(), logger, ...(onCommit && { onCommit }) });
    const engine = createEngine(reader, writer, { path, logger });
    return {
      ...rememberHeads({ conversations: createConversationStore(engine), resources: createResourceStore(engine) }),
      operations: createOperationStore(engine),
      blobs,
      check: async () => {
        await writer.commit([{ sql: "insert or replace into write_check values (1, ?)", parameters: [clock.now()] }]);
      },
      close: once(async () => {
        // The writer last: whoever closes the file last folds the log back into it.
        reader.close();
        await writer.close();
        lock.release();
      }),
    };
  } catch (error) {
    lock.release();
    throw describeFault(error, folder);
  }
}

/** Closing twice is closing once. */
function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= action();
    return done;
  };
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw describeFault(error, path);
  }
}

function takeFolder(folder: string, clock: Clock) {
  // Conversations are nobody else's business.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return lockFolder(folder, clock);
}

function openMigrated(path: string, folder: string, clock: Clock): Reader {
  const database = openWriteConnection(path);
  try {
    migrate(database, path, clock);
    syncFolder(folder);
    return openReader(path);
  } finally {
    database.close();
  }
}

function createEngine(reader: Reader, writer: Writer, { path, logger }: { path: string; logger: Logger }): Engine {
  const commit: Engine["commit"] = (steps) => writer.commit(steps).catch((fault: StorageFault) => refuse(fault));
  const all: Engine["all"] = async (statement) => {
    try {
      return reader.all(statement);
    } catch (error) {
      return refuse(describeFault(error, path));
    }
  };

  function refuse(fault: StorageFault): never {
    if (fault.reason === "DEFECT") throw internal(fault);
    // The path is for the operator; a client learns what kind of trouble it is.
    logger.error({ err: fault }, "the data folder failed");
    throw unavailable("The server cannot reach its stored data at the moment. Its log has the reason.", {
      reason: "STORAGE_UNAVAILABLE",
      metadata: { storage: fault.reason },
    });
  }

  async function catchUp(): Promise<void> {
    const waiting = await all(WAITING_TURNS);
    if (waiting.length > 0) await commit(indexTurns(SEARCH_PIECE));
  }

  return { queries: createQueries(), all, commit, matchesParent, search: { catchUp, hasWord } };
}

/** Kysely as a typed SQL writer: it compiles, and the connections of this folder run. */
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
