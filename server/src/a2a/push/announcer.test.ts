import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { TaskPushNotificationConfigSchema, TaskSchema, TaskState } from "@frontdesk/protos/a2a/a2a";
import { createLogger, EgressError, type EgressRequest, type Sealer } from "#base";
import type { DueConfig, TaskRow } from "#storage";
import { createAnnouncer } from "./announcer.ts";
import { toRow } from "./push-row.ts";

const OPEN: Pick<Sealer, "seal" | "open"> = { seal: (bytes) => bytes, open: (bytes) => bytes };
const CONFIG = create(TaskPushNotificationConfigSchema, {
  url: "https://example.com/hook",
  token: "the-token",
  authentication: { scheme: "Basic", credentials: "abc" },
});

/** A store with one task and one config, due at the time 0, and a webhook that answers as the list says. */
class Bench {
  now = 0;
  state = TaskState.WORKING;
  dueTime: number | undefined = 0;
  attempts = 0;
  sealer = OPEN;
  readonly requests: EgressRequest[] = [];
  readonly answers: (number | Error | (() => Promise<number>))[];
  readonly announcer;
  /** That of another server of the database. */
  readonly another;

  constructor(...answers: Bench["answers"]) {
    this.answers = answers;
    const store = {
      get: async () => this.#row(),
      due: async (time: number) => (this.dueTime !== undefined && this.dueTime <= time ? [this.#config()] : []),
      nextDue: async () => this.dueTime,
      putOff: async ({ dueTime }: DueConfig, time: number) => {
        if (dueTime !== this.dueTime) return false;
        this.dueTime = time;
        return true;
      },
      settle: async ({ dueTime, attempts }: DueConfig, next: number | undefined) => {
        if (dueTime !== this.dueTime) return;
        this.dueTime = next;
        this.attempts = next === undefined ? 0 : attempts + 1;
      },
    };
    this.another = () =>
      createAnnouncer({
        store: store as never,
        egress: { fetch: (request: EgressRequest) => this.#fetch(request) } as never,
        sealer: { ...OPEN, open: (bytes) => this.sealer.open(bytes, "a2a-push") },
        legacyTaskJson: async ({ id }) => ({ id, kind: "task" }),
        clock: { now: () => this.now },
        logger: createLogger("silent"),
      });
    this.announcer = this.another();
  }

  /** Announces what is due until there is nothing to do before a timer fires. */
  async run(): Promise<void> {
    this.announcer.wake();
    await this.settled();
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }

  /** Lets time pass, and the timer with it. */
  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    mock.timers.tick(milliseconds);
    await this.settled();
  }

  #row(): TaskRow {
    const task = create(TaskSchema, { id: "t-1", contextId: "c-1", status: { state: this.state } });
    return { id: "t-1", body: toBinary(TaskSchema, task) } as TaskRow;
  }

  #config(): DueConfig {
    const row = toRow({ config: CONFIG, version: "1.0" }, { task: "t-1", id: "p-1", createTime: 0 }, OPEN);
    return { ...row, dueTime: this.dueTime ?? 0, attempts: this.attempts };
  }

  async #fetch(request: EgressRequest) {
    this.requests.push(request);
    const answer = this.answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return { status: typeof answer === "number" ? answer : await answer() };
  }
}

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
// Other files of this process wait for real timers.
afterEach(() => mock.timers.reset());

describe("a push notification (A2A-18)", () => {
  it("carries the client's token and credentials, and what has changed", async () => {
    const bench = new Bench();
    await bench.run();
    const [request] = bench.requests;
    assert.deepEqual(request?.headers, {
      "content-type": "application/a2a+json",
      "x-a2a-notification-token": "the-token",
      authorization: "Basic abc",
    });
    assert.deepEqual(JSON.parse(String(request.body)), {
      statusUpdate: { taskId: "t-1", contextId: "c-1", status: { state: "TASK_STATE_WORKING" } },
    });
    assert.equal(bench.dueTime, undefined);
  });

  it("has the whole task once it is at rest", async () => {
    const bench = new Bench();
    bench.state = TaskState.COMPLETED;
    await bench.run();
    assert.equal(JSON.parse(String(bench.requests[0]?.body)).task.id, "t-1");
  });

  it("is tried again with growing pauses, and then given up", async () => {
    const bench = new Bench(500, 503, 302, 404, new EgressError("failed", "no answer"), 500);
    await bench.run();
    for (const [index, pause] of [1_000, 5_000, 30_000, 120_000, 600_000].entries()) {
      await bench.pass(pause - 1);
      assert.equal(bench.requests.length, index + 1);
      await bench.pass(1);
      assert.equal(bench.requests.length, index + 2);
    }
    assert.equal(bench.dueTime, undefined);
  });

  it("tells the latest state when an earlier one could not be told", async () => {
    const bench = new Bench(500);
    await bench.run();
    bench.state = TaskState.COMPLETED;
    await bench.pass(1_000);
    assert.equal(JSON.parse(String(bench.requests[1]?.body)).task.status.state, "TASK_STATE_COMPLETED");
  });

  const FINAL = { "a webhook that is gone": 410, "an address that the gate refuses": new EgressError("refused", "no") };
  for (const [what, answer] of Object.entries(FINAL)) {
    it(`is given up at once for ${what}`, async () => {
      const bench = new Bench(answer);
      await bench.run();
      assert.deepEqual([bench.requests.length, bench.dueTime], [1, undefined]);
    });
  }

  it("has arrived when the answer is too long to be read", async () => {
    const bench = new Bench(new EgressError("too-large", "too long"));
    await bench.run();
    assert.equal(bench.dueTime, undefined);
  });

  it("is not sent with a config that another key has sealed", async () => {
    const bench = new Bench();
    bench.sealer = {
      ...OPEN,
      open: () => {
        throw new Error("not this key");
      },
    };
    await bench.run();
    assert.deepEqual([bench.requests.length, bench.dueTime], [0, undefined]);
  });

  it("is sent again for a change that comes while it is sent", async () => {
    const bench: Bench = new Bench(async () => {
      bench.dueTime = 0.5;
      bench.now = 1;
      return 200;
    });
    await bench.run();
    assert.equal(bench.requests.length, 2);
  });

  it("is sent by one of the servers of a database (A2A-28)", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const bench = new Bench(() => promise);
    bench.announcer.wake();
    bench.another().wake();
    await bench.settled();
    assert.equal(bench.requests.length, 1);
    resolve(200);
    await bench.settled();
    assert.equal(bench.dueTime, undefined);
  });

  it("stays due when the server stops meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const bench = new Bench(() => promise);
    bench.announcer.wake();
    await bench.settled();
    const closed = bench.announcer.close();
    resolve(200);
    await closed;
    assert.equal(bench.dueTime, 0);
  });
});

it("A webhook that does not answer holds up nobody else's for longer than one attempt (A2A-29)", async () => {
  const silent = "https://silent.example/hook";
  const urls = new Map(Array.from({ length: 500 }, (_, index) => [`t-${index}`, silent]));
  urls.set("t-other", "https://other.example/hook");
  const due = new Map([...urls.keys()].map((task, index) => [task, { dueTime: index - 1_000, attempts: 0 }]));
  const rowOf = (task: string) =>
    toRow(
      { config: create(TaskPushNotificationConfigSchema, { url: urls.get(task) ?? "" }), version: "1.0" },
      { task, id: "p", createTime: 0 },
      OPEN,
    );
  const store = {
    get: async (id: string) => ({ id, body: toBinary(TaskSchema, create(TaskSchema, { id })) }),
    due: async (time: number, limit: number) =>
      [...due]
        .filter(([, { dueTime }]) => dueTime <= time)
        .sort(([, one], [, other]) => one.dueTime - other.dueTime)
        .slice(0, limit)
        .map(([task, row]) => ({ ...rowOf(task), ...row })),
    nextDue: async () => undefined,
    putOff: async ({ task, attempts }: DueConfig, dueTime: number) => due.set(task, { dueTime, attempts }),
    settle: async ({ task, attempts }: DueConfig, dueTime: number | undefined) => {
      if (dueTime === undefined) due.delete(task);
      else due.set(task, { dueTime, attempts: attempts + 1 });
    },
  };
  const asked: string[] = [];
  const timeout = Promise.withResolvers<never>();
  const fetch = async ({ url }: EgressRequest) => {
    asked.push(url);
    return url === silent ? timeout.promise : { status: 200 };
  };
  const { wake, close } = createAnnouncer({
    store: store as never,
    egress: { fetch } as never,
    sealer: OPEN,
    legacyTaskJson: async () => ({}),
    clock: { now: () => 0 },
    logger: createLogger("silent"),
  });
  const settled = async () => {
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
  };
  wake();
  await settled();
  const atOnce = asked.length;
  timeout.reject(new EgressError("timeout", "no answer"));
  await settled();
  assert.ok(atOnce < 500 && !due.has("t-other"), `${atOnce} at once`);
  assert.ok(asked.length < 2 * atOnce, `${asked.length - atOnce} more attempts were made`);
  assert.ok(
    [...due.values()].every(({ dueTime, attempts }) => dueTime > 0 && attempts === 1),
    "each of the others is tried again",
  );
  await close();
});
