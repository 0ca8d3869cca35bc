import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { OperationMetadataSchema } from "@frontdesk/protos/ces/agent_service";
import pg from "pg";
import { createLogger, systemClock, systemIds } from "#base";
import { createOperations, type OperationHandle, type Operations } from "#operations";
import { Code, ConnectError, invalidArgument } from "#status";
import { type JobQueue, type JobQueues, openStorage, type Storage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";

const LOCATION = "projects/p/locations/l";
const METADATA = create(OperationMetadataSchema, { statusMessage: "begun" });
const logger = createLogger("silent");

/** A server of the database, as far as operations go. */
interface Server {
  readonly operations: Operations;
  readonly storage: Storage;
  /** Looks for operations of servers that ended, as each server does every second. */
  look(): Promise<void>;
}

describe("work of servers of one database (DB-15, DB-55, DB-65)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let servers: Server[];
  /** Names of servers, in the order of their attempts; `work` is what an attempt does. */
  let attempts: string[];
  /** Servers at which an operation was counted as ended. */
  let counted: string[];
  /** What comes instead of the answer when a job is added, and before that. */
  let adding: Promise<boolean | undefined> | undefined;
  let work: (server: string, handle: OperationHandle) => Promise<Record<string, never>>;

  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());
  beforeEach(async () => {
    attempts = [];
    counted = [];
    adding = undefined;
    servers = [await start("one"), await start("two")];
  });
  afterEach(() => Promise.all(servers.map(({ storage }) => storage.close())));

  async function start(name: string): Promise<Server> {
    const storage = await openStorage({ dataDir: "", database: { url: postgres.url }, clock: systemClock, logger });
    const { operations: store, jobs } = storage;
    const policy = { most: 3, firstPauseMs: 1_000, longestPauseMs: 10_000 };
    const shared: JobQueues = {
      ...jobs,
      open: async (options) => {
        const queue = await jobs.open(options);
        const add = async (key: string, inMs?: number) => (await adding) ?? queue.add(key, inMs);
        return { ...methodsOf(queue), add };
      },
    };
    const operations = createOperations({
      store,
      jobs: shared,
      clock: systemClock,
      ids: systemIds,
      logger,
      attempts: policy,
      observer: {
        ...{ started: () => {}, stopped: () => {}, triedAgain: () => {}, takenOver: () => {} },
        ended: () => void counted.push(name),
      },
    });
    const kind = {
      kind: "Job",
      response: EmptySchema,
      work: () => (handle: OperationHandle) => {
        attempts.push(name);
        return work(name, handle);
      },
    };
    const look = () => operations.follow().then(() => operations.recover([kind]));
    await look();
    return { operations, storage, look };
  }

  const begin = ({ operations }: Server) => operations.begin({ subject: LOCATION, kind: "Job", metadata: METADATA });
  const stateAt = async ({ operations }: Server, name: string) => {
    const { jobs } = await operations.jobs({ parent: LOCATION, size: 100 }, () => true);
    return jobs.find((job) => job.name === name)?.state;
  };
  const failedOnce = async ({ operations }: Server, name: string) => {
    const { jobs } = await operations.jobs({ parent: LOCATION, size: 100 }, () => true);
    return jobs.find((job) => job.name === name)?.attempts === 1;
  };
  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await delay(20);
  }

  it("goes to another server when the first one has its hands full", async () => {
    const gate = Promise.withResolvers<Record<string, never>>();
    work = () => gate.promise;
    const [one] = servers as [Server, Server];
    const begun = await Promise.all(Array.from({ length: 25 }, () => begin(one)));
    await until(() => attempts.length === 25);
    gate.resolve({});
    const ended = await Promise.all(begun.map(({ name }) => one.operations.wait(name, 60_000)));
    assert.deepEqual([ended.every(({ done }) => done), attempts.filter((name) => name === "one").length], [true, 20]);
  });

  it("goes on at another server when the one that had it ends", async () => {
    work = async (server) => (server === "one" ? new Promise(() => {}) : {});
    const [one, two] = servers as [Server, Server];
    const { name } = await begin(one);
    await until(() => attempts.length === 1);
    await one.storage.close();
    await two.look();
    assert.equal((await two.operations.wait(name, 60_000)).result.case, "response");
    assert.deepEqual(attempts, ["one", "two"]);
  });

  it("has its next attempt at another server when the one ends that failed", async () => {
    work = async (server) => {
      if (server === "one") throw new ConnectError("The model is away.", Code.Unavailable);
      return {};
    };
    const [one, two] = servers as [Server, Server];
    const { name } = await begin(one);
    await until(() => failedOnce(two, name));
    await one.storage.close();
    await two.look();
    assert.equal((await two.operations.wait(name, 60_000)).result.case, "response");
    assert.deepEqual(attempts, ["one", "two"]);
  });

  it("is cancelled at any server, whether it runs or waits", async () => {
    work = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const [one, two] = servers as [Server, Server];
    const running = await begin(one);
    await two.operations.cancel(running.name);
    await until(async () => {
      await Promise.all(servers.map((server) => server.look()));
      return (await two.operations.get(running.name)).done;
    });
    work = async () => {
      throw new ConnectError("The model is away.", Code.Unavailable);
    };
    const waiting = await begin(one);
    await until(() => failedOnce(two, waiting.name));
    await two.operations.cancel(waiting.name);
    for (const { name } of [running, waiting]) {
      const { result } = await one.operations.get(name);
      assert.equal(result.case === "error" && result.value.code, Code.Canceled);
    }
  });

  it("is not counted as ended where another server took it over", async () => {
    const left = Promise.withResolvers<void>();
    work = (_, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          left.resolve();
          reject(signal.reason);
        }),
      );
    const [one, two] = servers as [Server, Server];
    const { name } = await begin(one);
    await until(() => attempts.length === 1);
    await two.storage.operations.claim(name);
    await one.operations.follow();
    await left.promise;
    await one.operations.drain(60_000);
    assert.deepEqual(counted, []);
    await two.operations.remove(name);
  });

  it("is a dead letter at all of them, and is begun again at any", async () => {
    work = async () => {
      throw invalidArgument({ field: "f", description: "is empty" });
    };
    const [one, two] = servers as [Server, Server];
    const { name } = await begin(one);
    await until(async () => (await stateAt(two, name)) === "dead");
    work = async () => ({});
    await two.operations.retry(name);
    assert.equal((await one.operations.wait(name, 60_000)).result.case, "response");
    await assert.rejects(one.operations.retry(name), { code: Code.FailedPrecondition });
  });

  it("is no server's any more when its operation is deleted while it waits", async () => {
    work = async () => {
      throw new ConnectError("The model is away.", Code.Unavailable);
    };
    const [one, two] = servers as [Server, Server];
    const { name } = await begin(one);
    await until(() => failedOnce(two, name));
    await two.operations.remove(name);
    await delay(2_500);
    assert.deepEqual([attempts.length, await stateAt(one, name)], [1, undefined]);
  });

  it("stays deleted when another server deletes its operation while it runs, however it ends", async () => {
    for (const end of [() => ({}), () => Promise.reject(invalidArgument({ field: "f", description: "is empty" }))]) {
      attempts = [];
      const gate = Promise.withResolvers<void>();
      work = () => gate.promise.then(end);
      const [one, two] = servers as [Server, Server];
      const { name } = await begin(one);
      await until(() => attempts.length > 0);
      await two.operations.remove(name);
      gate.resolve();
      await one.operations.drain(60_000);
      assert.equal(await stateAt(two, name), undefined);
      assert.equal(await jobsOf(name), 0);
    }
  });

  it("begins when its job could not be stored with its operation", async () => {
    work = async () => ({});
    const [one] = servers as [Server, Server];
    adding = Promise.reject(new Error("The database is away."));
    adding.catch(() => {});
    await assert.rejects(begin(one), { message: "The database is away." });
    adding = undefined;
    await one.look();
    await until(() => attempts.length === 1);
  });

  it("is begun again although the job of its dead letter is still to be settled", async () => {
    const [one] = servers as [Server, Server];
    work = async () => {
      throw invalidArgument({ field: "f", description: "is empty" });
    };
    const { name } = await begin(one);
    await until(async () => (await stateAt(one, name)) === "dead");
    await sql(
      "update frontdesk_jobs.job_common set state = 'active', completed_on = null where singleton_key = $1",
      name,
    );
    work = async () => ({});
    await one.operations.retry(name);
    await one.look();
    assert.equal((await one.operations.wait(name, 60_000)).result.case, "response");
  });

  it("is tried again although its job is gone, as after a backup without jobs was restored", async () => {
    const [one] = servers as [Server, Server];
    const gate = Promise.withResolvers<void>();
    work = async () => {
      await gate.promise;
      if (attempts.length === 1) throw new ConnectError("The model is away.", Code.Unavailable);
      return {};
    };
    const { name } = await begin(one);
    await until(() => attempts.length === 1);
    await sql("delete from frontdesk_jobs.job_common where singleton_key = $1", name);
    gate.resolve();
    assert.equal((await one.operations.wait(name, 60_000)).result.case, "response");
  });

  /** Jobs about an operation that are not over, dead letters among them. */
  async function jobsOf(name: string): Promise<number> {
    const [found] = await sql(
      "select count(*)::int as jobs from frontdesk_jobs.job_common where singleton_key in ($1, 'operations/' || $1) and state <= 'active'",
      name,
    );
    return found?.jobs ?? 0;
  }

  async function sql(text: string, name: string): Promise<{ readonly jobs: number }[]> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    return client
      .query(text, [name])
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }
});

/** The methods of a queue, which is a class. */
function methodsOf(queue: JobQueue): JobQueue {
  return {
    add: (...given) => queue.add(...given),
    addEvery: (...given) => queue.addEvery(...given),
    remove: (...given) => queue.remove(...given),
    restore: (...given) => queue.restore(...given),
  };
}
