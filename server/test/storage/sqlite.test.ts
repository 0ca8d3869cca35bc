import assert from "node:assert/strict";
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import type { ConversationHead, Storage } from "#storage";
import { openStorage, StorageError } from "#storage";
import { storageContract } from "./storage-contract.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-sqlite-"));
after(() => rmSync(root, { recursive: true, force: true }));

storageContract("SQLite", () => open(newFolder()));

describe("the SQLite data folder", () => {
  it("keeps all data over a restart", async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.operations.put(OPERATION);
    await first.blobs.put("key", new Uint8Array([1, 2, 3]));
    await first.close();
    const second = await open(folder);
    assert.deepEqual(await second.operations.get(OPERATION.name), OPERATION);
    assert.deepEqual(await second.blobs.get("key"), new Uint8Array([1, 2, 3]));
    await second.close();
  });

  it("stores writes from before it was closed, and rejects later ones", async () => {
    const folder = newFolder();
    const storage = await open(folder);
    const put = storage.operations.put(OPERATION);
    await Promise.all([storage.close(), storage.close()]);
    await put;
    await assert.rejects(storage.operations.put(OPERATION), /cannot reach its stored data/);
    await assert.rejects(storage.check(), /is closed/);
    const again = await open(folder);
    assert.deepEqual(await again.operations.get(OPERATION.name), OPERATION);
    await again.close();
  });

  it("stores the writes that arrive during a commit in the next one, together", async () => {
    const commits: number[] = [];
    const storage = await open(newFolder(), { onCommit: (writes) => commits.push(writes) });
    const puts = [storage.operations.put(OPERATION)];
    for (let others = 0; others < 3; others++) {
      await Promise.resolve();
      puts.push(storage.operations.put({ ...OPERATION, name: `${OPERATION.name}-${others}` }));
    }
    await Promise.all(puts);
    await storage.close();
    assert.deepEqual(commits, [1, 3]);
  });

  it("leaves one database file and no log when it is closed", async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    assert.deepEqual(readdirSync(folder).sort(), [".gitignore", "blobs", "frontdesk.db", "lock"]);
  });

  it("is not committed to the repository that it is in, unless somebody wants it to be", async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    await (await open(folder)).close();
    assert.equal(readFileSync(join(folder, ".gitignore"), "utf8"), "*\n");
    rmSync(join(folder, ".gitignore"));
    await (await open(folder)).close();
    assert.ok(!readdirSync(folder).includes(".gitignore"));
  });

  it("is locked for a second server, which reports the first one's process and start time", async () => {
    const folder = newFolder();
    const first = await open(folder);
    await assert.rejects(
      open(folder),
      storageError(
        "LOCKED",
        `The data folder '${folder}' is in use by another server \\(process ${process.pid}, since 20[^)]+\\): `,
      ),
    );
    await first.close();
    await (await open(folder)).close();
  });

  it("is unlocked after its server was killed", async (t) => {
    const folder = newFolder();
    const child = fork(new URL("./__fixtures__/lock-folder.ts", import.meta.url), [folder], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    t.after(() => child.kill("SIGKILL"));
    await once(child, "message");
    await assert.rejects(open(folder), storageError("LOCKED", `process ${child.pid}`));
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await open(folder)).close();
  });

  it("rejects a newer schema", async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    const path = join(folder, "frontdesk.db");
    const database = new DatabaseSync(path);
    database.exec("insert into schema_version values (99, 0)");
    database.close();
    await assert.rejects(
      open(folder),
      storageError("NEWER_SCHEMA", `'${path}' has schema version 99, and this release knows only`),
    );
  });

  it("rejects a file that is no database, and a damaged one", async () => {
    const foreign = newFolder();
    mkdirSync(foreign);
    writeFileSync(join(foreign, "frontdesk.db"), "hello ".repeat(1000));
    await assert.rejects(
      open(foreign),
      storageError("CORRUPT", `'${join(foreign, "frontdesk.db")}' is damaged or is no database`),
    );
    const damaged = newFolder();
    await (await open(damaged)).close();
    truncateSync(join(damaged, "frontdesk.db"), 3 * 8192);
    await assert.rejects(open(damaged), storageError("CORRUPT", `'${join(damaged, "frontdesk.db")}' is damaged`));
  });

  it("rejects a path where a file is", async () => {
    const path = newFolder();
    writeFileSync(path, "");
    await assert.rejects(open(path), storageError("FAILED", `'${path}' cannot be the data folder`));
  });

  it("rejects a folder that this user cannot write", {
    skip: process.getuid?.() === 0 && "the superuser may write everywhere",
  }, async () => {
    const folder = newFolder();
    mkdirSync(folder, { mode: 0o500 });
    await assert.rejects(open(folder), storageError("READ_ONLY", `'${folder}' cannot be written by this user`));
  });

  it("indexes when idle the turns that a stopped server left unindexed", async () => {
    const folder = newFolder();
    const storage = await open(folder);
    await storage.conversations.appendTurn(HEAD, { index: 1, body: new Uint8Array(1), extra: "", text: "one lamp" });
    await storage.close();
    const again = await open(folder);
    await untilEqual(folder, "select last_turn as value from turn_words_progress", 1);
    const found = await again.conversations.list({
      app: HEAD.app,
      sources: [],
      limit: 1,
      where: { kind: "search", words: "lamp" },
    });
    assert.equal(found.rows.length, 1);
    await again.close();
  });

  it("deletes when idle the turns of removed conversations, and nothing else", async () => {
    const folder = newFolder();
    const storage = await open(folder);
    const append = (id: string, count: number) => appendTurns(storage, { ...HEAD, name: `${HEAD.name}-${id}` }, count);
    await Promise.all([
      append("gone", 130),
      append("kept", 70),
      ...Array.from({ length: 60 }, (_, at) => append(`${at}`, 1)),
    ]);
    const names = ["gone", ...Array.from({ length: 60 }, (_, at) => `${at}`)].map((id) => `${HEAD.name}-${id}`);
    assert.deepEqual(await storage.conversations.remove(names), names);
    assert.deepEqual(await storage.conversations.getTurns(`${HEAD.name}-gone`), []);
    await untilEqual(folder, "select count(*) as value from turns", 70);
    await untilEqual(folder, "select count(*) as value from removed_conversations", 0);
    await untilEqual(folder, "select count(*) as value from turn_words where turn_words match 'word'", 70);
    assert.equal((await storage.conversations.getTurns(`${HEAD.name}-kept`)).length, 70);
    await storage.close();
  });

  it("rejects writes while the disk is full, without losing stored ones", {
    skip: process.platform === "win32",
  }, async () => {
    const folder = newFolder();
    const script = new URL("./__fixtures__/append-until-rejected.ts", import.meta.url).pathname;
    // A limit on the size of files simulates a full disk; the signal that comes with it must not end the process.
    const limited = `trap '' XFSZ; ulimit -f 2048; exec "$0" "$1" "$2"`;
    const output = await new Promise<string>((resolve, reject) => {
      execFile("sh", ["-c", limited, process.execPath, script, folder], (error, stdout, stderr) =>
        error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
      );
    });
    const report = JSON.parse(output) as { stored: number; code: string; check: string };
    assert.equal(
      report.code,
      "[unavailable] The server cannot reach its stored data at the moment. Its log has the reason.",
    );
    assert.ok(report.check.includes(`'${join(folder, "frontdesk.db")}'`), report.check);
    const storage = await open(folder);
    const turns = await storage.conversations.getTurns(HEAD.name);
    assert.equal(turns.length, report.stored);
    await storage.close();
  });
});

const HEAD = {
  name: "projects/p/locations/l/apps/a/conversations/c",
  app: "projects/p/locations/l/apps/a",
  startTime: 1,
  endTime: 2,
  turnCount: 1,
  source: 1,
  inputTypes: [],
  entryAgent: "",
  deployment: "",
  appVersion: "",
  languageCode: "",
  state: "",
};

const OPERATION = {
  name: "projects/p/locations/l/operations/o",
  parent: "projects/p/locations/l",
  subject: "projects/p/locations/l/apps/a",
  done: true,
  createTime: 1,
  kind: "Test",
  metadata: new Uint8Array([1]),
  response: new Uint8Array(),
  error: new Uint8Array(),
  ...{ attempts: 0, isDead: false, lastError: new Uint8Array() },
};

async function appendTurns(storage: Storage, head: ConversationHead, count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    const turn = { index, body: new Uint8Array(1), extra: "", text: `word ${index}` };
    await storage.conversations.appendTurn({ ...head, turnCount: index }, turn);
  }
}

/** Waits until a query on the database answers a value. */
async function untilEqual(folder: string, sql: string, value: number): Promise<void> {
  const database = new DatabaseSync(join(folder, "frontdesk.db"), { readOnly: true });
  const query = database.prepare(sql);
  while (query.get()?.value !== value) await new Promise((resolve) => setTimeout(resolve, 5));
  database.close();
}

let folders = 0;
function newFolder(): string {
  folders += 1;
  return join(root, String(folders));
}

function open(dataDir: string, options: { readonly onCommit?: (writes: number) => void } = {}): Promise<Storage> {
  return openStorage({ dataDir, clock: systemClock, logger: createLogger("silent"), ...options });
}

function storageError(reason: string, message: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StorageError);
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, new RegExp(message));
    return true;
  };
}
