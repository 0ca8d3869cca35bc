import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, it } from "node:test";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { createLogger, definedFields } from "#base";
import { Code, ConnectError, invalidArgument } from "#status";
import { type JobQueues, openStorage, type Storage } from "#storage";
import { deps, errorOf, LOCATION, METADATA, metadata, startSlow } from "./__fixtures__/test-operations.ts";
import type { OperationHandle, Operations } from "./contract.ts";
import { createOperations } from "./create-operations.ts";
import { SERVER_WIDE } from "./repeating-work.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-operations-"));
let folders = 0;
let storage: Storage;
let operations: Operations;

after(() => rmSync(root, { recursive: true, force: true }));
beforeEach(async () => {
  folders += 1;
  storage = await open();
  operations = createOperations(deps(storage.operations));
});
afterEach(() => storage.close());

describe("work that can be begun again (DB-15)", () => {
  const unavailable = () => new ConnectError("The model is away.", Code.Unavailable);
  const jobs = async (size: number) => (await operations.jobs({ parent: LOCATION, size }, () => true)).jobs;
  const state = () => jobs(10);

  /** Operations whose kind fails as often as the errors say; `seen` is what each attempt was told. */
  async function failing(errors: readonly Error[], firstPauseMs = 1) {
    const left = [...errors];
    const seen: boolean[] = [];
    const work = async ({ isTriedAgain }: OperationHandle) => {
      const error = left.shift();
      if (!error) return {};
      seen.push(isTriedAgain(error));
      throw error;
    };
    operations = createOperations({
      ...deps(storage.operations),
      attempts: { most: 3, firstPauseMs, longestPauseMs: 7_200_000 },
    });
    await operations.recover([{ kind: "Job", response: EmptySchema, work: () => work }]);
    const subject = `${LOCATION}/apps/a`;
    const { name } = await operations.begin({ subject, kind: "Job", metadata: METADATA });
    return { name, seen };
  }

  it("is not tried again once it was cancelled, also while it is put back", async () => {
    let cancelled: Promise<void> | undefined;
    const begun = Promise.withResolvers<string>();
    const observer = {
      ...{ started: () => {}, stopped: () => {}, ended: () => {}, takenOver: () => {} },
      triedAgain: () => {
        cancelled = begun.promise.then((name) => operations.cancel(name));
      },
    };
    const jobs = deps(storage.operations).jobs;
    const slow: JobQueues = {
      ...jobs,
      open: ({ run, ...options }) =>
        jobs.open({
          ...options,
          run: (job) => run({ ...job, again: (reason) => Promise.resolve(cancelled).then(() => job.again(reason)) }),
        }),
    };
    operations = createOperations({ ...deps(storage.operations), jobs: slow, observer });
    const work = () => () => Promise.reject(unavailable());
    await operations.recover([{ kind: "Job", response: EmptySchema, work }]);
    const { name } = await operations.begin({ subject: LOCATION, kind: "Job", metadata: METADATA });
    begun.resolve(name);
    assert.equal(errorOf(await operations.wait(name, 60_000)).code, Code.Canceled);
  });

  it("is tried again after an error that may pass", async () => {
    const { name, seen } = await failing([unavailable(), unavailable()]);
    const { result } = await operations.wait(name, 60_000);
    assert.deepEqual([result.case, seen], ["response", [true, true]]);
    assert.deepEqual(
      (await state()).map(({ kind, attempts, maxAttempts, error }) => [kind, attempts, maxAttempts, error?.message]),
      [["Job", 2, 3, "The model is away."]],
    );
  });

  it("is a dead letter after the last attempt, and can be begun again, once", async () => {
    const { name, seen } = await failing([unavailable(), unavailable(), unavailable()]);
    const failed = await operations.wait(name, 60_000);
    assert.deepEqual([errorOf(failed).message, seen], ["The model is away.", [true, true, false]]);
    assert.deepEqual(
      (await state()).map((job) => [job.state, job.attempts]),
      [["dead", 3]],
    );
    const retried = await operations.retry(name);
    assert.deepEqual([retried.state, retried.attempts], ["running", 0]);
    await assert.rejects(operations.retry(name), isNoDeadLetter);
    const ended = await operations.wait(name, 60_000);
    assert.deepEqual([ended.result.case, ended.metadata], ["response", metadata({ endTime: 1_000 })]);
  });

  it("is a dead letter at once after an error that would be the same again", async () => {
    const { name } = await failing([invalidArgument({ field: "f", description: "is empty" })]);
    await operations.wait(name, 60_000);
    assert.deepEqual(
      (await state()).map((job) => [job.state, job.attempts]),
      [["dead", 1]],
    );
  });

  it("waits, and is shown so, until a server has room for it", async () => {
    const gate = Promise.withResolvers<Record<string, never>>();
    operations = createOperations(deps(storage.operations));
    await operations.recover([{ kind: "Job", response: EmptySchema, work: () => () => gate.promise }]);
    const begin = () => operations.begin({ subject: `${LOCATION}/apps/a`, kind: "Job", metadata: METADATA });
    const begun = await Promise.all(Array.from({ length: 21 }, begin));
    const waiting = (await jobs(30)).filter(({ state }) => state === "waiting");
    assert.deepEqual(
      waiting.map(({ attempts, dueTime }) => [attempts, dueTime]),
      [[0, undefined]],
    );
    gate.resolve({});
    const ended = await Promise.all(begun.map(({ name }) => operations.wait(name, 60_000)));
    assert.ok(ended.every(({ done }) => done));
  });

  it("is cancelled while it waits for its next attempt", async () => {
    const name = await waiting();
    assert.ok(((await state())[0]?.dueTime ?? 0) >= 3_601_000);
    await operations.cancel(name);
    assert.equal(errorOf(await operations.wait(name, 60_000)).code, 1);
    assert.deepEqual(
      (await state()).map((job) => job.state),
      ["failed"],
    );
  });

  it("waits on after a restart, with what it has left of its attempts", async () => {
    const name = await waiting();
    await operations.drain(60_000);
    operations = createOperations(deps({ ...storage.operations, unfinished: async () => [await dueNow(name)] }));
    await operations.recover([{ kind: "Job", response: EmptySchema, work: () => async () => ({}) }]);
    const { result } = await operations.wait(name, 60_000);
    assert.deepEqual([result.case, (await state())[0]?.attempts], ["response", 1]);
  });

  /** An operation that waits for an hour. */
  async function waiting(): Promise<string> {
    const { name } = await failing([unavailable()], 3_600_000);
    while ((await state())[0]?.attempts !== 1);
    return name;
  }

  /** The stored operation, as it is when its time has come. */
  async function dueNow(name: string) {
    const row = await storage.operations.get(name);
    assert.ok(row);
    return { ...row, dueTime: 1_000 };
  }

  function isNoDeadLetter(error: unknown): boolean {
    return error instanceof ConnectError && error.code === Code.FailedPrecondition;
  }
});

describe("work that repeats by itself (DB-17)", () => {
  const SUBJECT = `${LOCATION}/apps/a`;
  const WORK = { kind: "Sweep", subject: SUBJECT };
  const unavailable = () => new ConnectError("The database is away.", Code.Unavailable);
  const jobs = async () => (await operations.jobs({ parent: LOCATION, size: 10 }, () => true)).jobs;

  /** Operations with the kind, whose attempts fail as the errors say. */
  async function sweeping(errors: readonly Error[], firstPauseMs = 1): Promise<void> {
    const left = [...errors];
    const work = () => async () => {
      const error = left.shift();
      if (error) throw error;
      return {};
    };
    operations = createOperations({
      ...deps(storage.operations),
      attempts: { most: 3, firstPauseMs, longestPauseMs: 7_200_000 },
    });
    await operations.recover([{ kind: "Sweep", response: EmptySchema, work }]);
  }
  const failed = (error: unknown, work = WORK) => operations.repeatFailed({ ...work, metadata: METADATA, error });
  const state = async () =>
    (await jobs()).map(({ kind, subject, state, attempts, error }) => [kind, subject, state, attempts, error?.message]);
  const nameOf = async () => (await jobs())[0]?.name ?? "";

  it("is tried again when it failed, as one operation however often it fails", async () => {
    await sweeping([], 3_600_000);
    await failed(unavailable());
    await failed(unavailable());
    assert.deepEqual(await state(), [["Sweep", SUBJECT, "waiting", 1, "The database is away."]]);
    await operations.drain(60_000);
  });

  it("succeeds with a further attempt", async () => {
    await sweeping([unavailable()]);
    await failed(unavailable());
    await operations.wait(await nameOf(), 60_000);
    assert.deepEqual(await state(), [["Sweep", SUBJECT, "succeeded", 2, "The database is away."]]);
  });

  it("is a dead letter when it fails for good, until it succeeds", async () => {
    await sweeping([unavailable(), unavailable()]);
    await failed(unavailable());
    await operations.wait(await nameOf(), 60_000);
    assert.deepEqual(await state(), [["Sweep", SUBJECT, "dead", 3, "The database is away."]]);
    assert.equal(await storage.operations.countDead(), 1);
    await operations.repeatSucceeded(WORK);
    assert.deepEqual(await state(), []);
  });

  it("is a dead letter at once after an error that would be the same again, and the next failure takes its place", async () => {
    await sweeping([]);
    await failed(invalidArgument({ field: "f", description: "is empty" }));
    assert.deepEqual(await state(), [["Sweep", SUBJECT, "dead", 1, "f: is empty"]]);
    await failed(invalidArgument({ field: "f", description: "is too long" }));
    assert.deepEqual(await state(), [["Sweep", SUBJECT, "dead", 1, "f: is too long"]]);
    await operations.retry(await nameOf());
    await operations.wait(await nameOf(), 60_000);
    assert.deepEqual(
      (await jobs()).map((job) => job.state),
      ["succeeded"],
    );
  });

  it("is listed in every location when it is about the whole server, with its place in the order", async () => {
    await sweeping([]);
    const wrong = invalidArgument({ field: "f", description: "is empty" });
    await failed(wrong);
    await failed(wrong, { kind: "Sweep", subject: SERVER_WIDE });
    const pages = [];
    for (let after: readonly [string | number, string] | undefined, more = true; more; more = after !== undefined) {
      const page = await operations.jobs({ parent: LOCATION, size: 1, ...definedFields({ after }) }, () => true);
      pages.push(page.jobs.map(({ subject }) => subject));
      after = page.last;
    }
    assert.deepEqual(pages.flat().toSorted(), [SERVER_WIDE, SUBJECT]);
    const elsewhere = await operations.jobs({ parent: "projects/p/locations/eu", size: 10 }, () => true);
    assert.deepEqual(
      elsewhere.jobs.map(({ subject }) => subject),
      [SERVER_WIDE],
    );
  });
});

describe("the end of a server", () => {
  it("waits for running work", async () => {
    const { operation, end } = await startSlow(operations);
    const drained = operations.drain(60_000);
    end({});
    await drained;
    assert.equal((await storage.operations.get(operation.name))?.done, true);
  });

  it("waits no longer than the timeout", async () => {
    const { operation, end } = await startSlow(operations);
    await operations.drain(5);
    assert.equal((await operations.get(operation.name)).done, false);
    end({});
    await operations.drain(60_000);
  });
});

function open(): Promise<Storage> {
  return openStorage({
    dataDir: join(root, String(folders)),
    clock: { now: () => 1_000 },
    logger: createLogger("silent"),
  });
}
