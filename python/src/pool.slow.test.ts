import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createTestSandbox, SILENT, type TestSandbox } from "../test/test-sandbox.ts";
import { GuestPool } from "./guest-pool.ts";
import type { JsonValue } from "./json.ts";
import type { Guest } from "./process/guest.ts";

const LOOP = "def f():\n    while True:\n        pass\n";
const ONE = "def f():\n    return 1\n";
const NOISY = { tenant: "apps/noisy" };
const seconds = (cpu: number, wall: number) => ({ limits: { cpuMs: cpu * 1000, wallMs: wall * 1000 } });

/** Waits until the sandbox has so many busy guests, and so many calls that wait for one. */
async function until({ sandbox }: TestSandbox, busy: number, waiting = 0): Promise<void> {
  for (;;) {
    const status = sandbox.status();
    if (status.busy === busy && status.waiting >= waiting) return;
    await delay(5);
  }
}

/** Runs that last until `end` is called, which tells how they ended. */
function endless(sandbox: TestSandbox, count: number) {
  const abort = new AbortController();
  const options = { ...NOISY, signal: abort.signal, ...seconds(60, 60) };
  const runs = Array.from({ length: count }, () => sandbox.run(LOOP, options));
  return {
    async end(): Promise<Set<string>> {
      abort.abort();
      return new Set((await Promise.all(runs)).map(({ kind }) => kind));
    },
  };
}

describe("an app that keeps all guests busy", () => {
  const sandbox = createTestSandbox({ maxGuests: 2 });
  after(() => sandbox[Symbol.asyncDispose]());

  it("does not keep another app waiting, however many calls it has in line", async () => {
    await sandbox.value(ONE);
    const noise = endless(sandbox, 30);
    await until(sandbox, 2, 28);
    for (let turn = 0; turn < 3; turn++) assert.equal(await sandbox.value(ONE, { tenant: "apps/quiet" }), 1);
    assert.deepEqual(await noise.end(), new Set(["cancelled"]));
  });

  it("is refused when 1,000 of its calls wait, and the refusal says so", async () => {
    const running = endless(sandbox, 2);
    await until(sandbox, 2);
    const waiting = endless(sandbox, 1_050);
    await until(sandbox, 2, 1_000);
    const refused = await sandbox.run(ONE, NOISY);
    assert.partialDeepStrictEqual(refused, {
      kind: "exhausted",
      message: "1000 Python calls of the app wait already; the limit is 1000 calls",
    });
    assert.equal(await sandbox.value(ONE, { tenant: "apps/quiet" }), 1);
    assert.deepEqual(await waiting.end(), new Set(["cancelled", "exhausted"]));
    assert.deepEqual(await running.end(), new Set(["cancelled"]));
    assert.equal(await sandbox.value(ONE, NOISY), 1);
  });

  it("has its own calls wait no longer than their time", async () => {
    await sandbox.value(ONE, NOISY);
    const noise = endless(sandbox, 2);
    await until(sandbox, 2);
    assert.partialDeepStrictEqual(await sandbox.run(ONE, { ...NOISY, ...seconds(1, 0.2) }), {
      kind: "exhausted",
      message: "no Python guest became free within 200 ms",
    });
    assert.deepEqual(await noise.end(), new Set(["cancelled"]));
  });
});

describe("an app whose calls time out again and again", () => {
  it("is slowed down, and nobody else", async () => {
    await using sandbox = createTestSandbox({ maxGuests: 2 });
    for (let call = 0; call < 4; call++) {
      const { kind } = await sandbox.run(LOOP, { ...NOISY, ...seconds(0.02, 5) });
      assert.equal(kind, "timeout");
    }
    const order: string[] = [];
    const slowed = sandbox.value(ONE, NOISY).then(() => order.push("slowed"));
    const others = sandbox.value(ONE, { tenant: "apps/quiet" }).then(() => order.push("other"));
    await Promise.all([slowed, others]);
    assert.deepEqual(order, ["other", "slowed"]);
  });
});

describe("a guest that is killed", () => {
  it("is replaced, and calls meanwhile are served by another", async () => {
    await using sandbox = createTestSandbox({ maxGuests: 2 });
    await sandbox.value(ONE);
    while (sandbox.sandbox.status().guests < 2) await delay(5);
    const doomed = endless(sandbox, 1);
    await until(sandbox, 1);
    assert.deepEqual(await doomed.end(), new Set(["cancelled"]));
    assert.equal(await sandbox.value(ONE), 1);
    while (sandbox.sandbox.status().guests < 2) await delay(5);
  });
});

describe("a guest whose memory grew", () => {
  it("is replaced when it is idle, after another stands ready", async () => {
    const guests: { alive: boolean; grownBytes: number; othersAtEnd: number }[] = [];
    const alive = () => guests.filter((guest) => guest.alive).length;
    const start = async () => {
      const guest = {
        alive: true,
        grownBytes: 0,
        othersAtEnd: 0,
        call: async () => ({ ending: "answered", body: "{}", output: [] }),
        restore() {},
        restoreNow: async () => {},
        kill() {
          guest.alive = false;
          guest.othersAtEnd = alive();
        },
      };
      guests.push(guest);
      return guest as Partial<Guest> as Guest;
    };
    const pool = new GuestPool({ start, maxGuests: 1, maxMembers: 2, logger: SILENT });
    await pool.prewarm();
    const [first] = guests;
    assert.ok(first);
    first.grownBytes = 20 << 20;
    const call = { frame: Buffer.alloc(16), cpuMs: 1, wallMs: 60_000, answer: async () => ({}) };
    assert.equal((await pool.run({ tenant: "a", group: "a" }, call)).ending, "answered");
    for (let waits = 0; first.alive && waits < 6_000; waits++) await delay(10);
    assert.partialDeepStrictEqual(first, { alive: false, othersAtEnd: 1 });
    assert.equal(alive(), 1);
    await pool.close();
  });
});

describe("the only guest there may be", () => {
  it("has another stand ready while a call takes long, which serves at once when it is killed", async () => {
    await using sandbox = createTestSandbox({ maxGuests: 1 });
    await sandbox.value(ONE);
    const doomed = endless(sandbox, 1);
    while (sandbox.sandbox.status().guests < 2) await delay(5);
    assert.deepEqual(await doomed.end(), new Set(["cancelled"]));
    assert.equal(sandbox.sandbox.status().guests, 1);
    assert.equal(await sandbox.value(ONE), 1);
  });
});

describe("calls inside calls", () => {
  const CALLER = "def f():\n    return host.next()\n";

  it("have 1,000 places of their own in the line, and are refused beyond", async () => {
    await using sandbox = createTestSandbox({ maxGuests: 1, memoryBudget: 1 });
    await sandbox.value(ONE);
    const endings: Record<string, number> = {};
    const inner = async () => {
      const outcome = await sandbox.run(ONE, { group: "one" });
      const ending = outcome.kind === "exhausted" ? outcome.message : outcome.kind;
      endings[ending] = 1 + (endings[ending] ?? 0);
    };
    const next = async () => {
      await Promise.all(Array.from({ length: 2_008 }, inner));
      return "done";
    };
    assert.equal(await sandbox.value(CALLER, { group: "one", hostFunctions: { next } }), "done");
    const refusal = "2000 Python calls of the app wait already; the limit is 2000 calls";
    const refused = endings[refusal] ?? 0;
    assert.ok(refused === 7 || refused === 8, "one may have been served at once"); // a second guest may stand ready or not
    assert.deepEqual(endings, { returned: 2_008 - refused, [refusal]: refused });
  });

  it("are refused when the memory budget has no guest for them, instead of waiting for each other for ever", async () => {
    await using sandbox = createTestSandbox({ maxGuests: 1, memoryBudget: 1 });
    const call = async (depth: number): Promise<JsonValue> => {
      const outcome = await sandbox.run(depth > 0 ? CALLER : ONE, {
        group: "one",
        hostFunctions: { next: () => call(depth - 1) },
      });
      return outcome.kind === "returned" ? outcome.value : "message" in outcome && outcome.message;
    };
    assert.equal(await call(1), 1);
    assert.equal(await call(4), "all 2 Python guests wait for calls inside their own calls");
  });
});
