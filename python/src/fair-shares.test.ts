import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { SILENT } from "../test/test-sandbox.ts";
import { GuestPool } from "./guest-pool.ts";
import type { Guest, GuestCall, GuestEvents, GuestResult } from "./process/guest.ts";

/** A guest whose calls and restores end when the test says so. */
class FakeGuest {
  readonly events: GuestEvents;
  alive = true;
  grownBytes = 0;
  /** Name of the call that it serves, and of those before. */
  readonly calls: string[] = [];
  end: (ending?: GuestResult["ending"]) => void = () => {};
  /** Ends the restore that the pool waits for. */
  restored: (() => void) | undefined;

  constructor(events: GuestEvents) {
    this.events = events;
  }

  call({ frame }: GuestCall): Promise<GuestResult> {
    this.calls.push(frame.toString());
    return new Promise((resolve) => {
      this.end = (ending = "answered") => resolve({ ending, body: "{}", output: [] });
    });
  }

  restore(): void {}

  restoreNow(): Promise<void> {
    return new Promise((resolve) => {
      this.restored = resolve;
    });
  }

  kill(): void {
    this.alive = false;
    this.end("cancelled");
    this.restored?.();
  }
}

/** A pool of fake guests. `starts` holds what starts the next ones, once `holdStarts` is set. */
class FakePool {
  readonly guests: FakeGuest[] = [];
  readonly starts: (() => void)[] = [];
  holdStarts = false;
  readonly #pool: GuestPool;

  constructor(maxGuests: number, maxMembers: number) {
    const start = async (events: GuestEvents) => {
      if (this.holdStarts) await new Promise<void>((resolve) => this.starts.push(resolve));
      const guest = new FakeGuest(events);
      this.guests.push(guest);
      return guest as unknown as Guest;
    };
    this.#pool = new GuestPool({ start, maxGuests, maxMembers, logger: SILENT });
  }

  /** Makes a call of this name, a group of its own unless it is named, and waits until the pool has nothing to do. */
  async call(tenant: string, name: string, options: { group?: string; neverWaits?: boolean } = {}): Promise<void> {
    const call = { frame: Buffer.from(name), cpuMs: 60_000, wallMs: 60_000, answer: async () => ({}) };
    void this.#pool.run({ tenant, group: name, ...options }, call);
    await settled();
  }

  /** Names of the calls that are served now, of those that begin with `prefix`. */
  served(prefix = ""): string[] {
    const busy = this.guests
      .filter(({ alive }) => alive)
      .flatMap((guest) => (this.isBusy(guest) ? guest.calls.at(-1) : []));
    return busy.filter((name): name is string => name?.startsWith(prefix) === true).sort();
  }

  isBusy(guest: FakeGuest): boolean {
    return this.#busy.get(guest) !== guest.calls.length && guest.calls.length > 0;
  }

  readonly #busy = new Map<FakeGuest, number>();

  guestOf(name: string): FakeGuest {
    const guest = this.guests.find((each) => each.calls.at(-1) === name);
    assert.ok(guest, `${name} is served`);
    return guest;
  }

  /** The code of a call begins to wait for the host. */
  async wait(name: string): Promise<void> {
    this.guestOf(name).events.onWaiting(true);
    await settled();
  }

  async end(name: string, ending?: GuestResult["ending"]): Promise<void> {
    const guest = this.guestOf(name);
    this.#busy.set(guest, guest.calls.length);
    guest.end(ending);
    await settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.close();
  }
}

/** Promises that the pool waits for are done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTick();
}

/** Calls of one app that all sleep, as far as they are served. */
async function sleepers(pool: FakePool, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await pool.call("sleepy", `sleepy ${index}`);
    if (pool.served().includes(`sleepy ${index}`)) await pool.wait(`sleepy ${index}`);
  }
}

describe("60 callers of one app whose code sleeps (PY-43)", () => {
  it("leave another app a guest for its call and one for the call inside it, when all calls have calls inside them", async () => {
    for (const maxMembers of [6, 8, 16]) {
      await using pool = new FakePool(2, maxMembers);
      for (let at = 0; at < 20; at++) {
        await pool.call("a", `a${at}`);
        if (!pool.served(`a${at}`).includes(`a${at}`)) continue;
        await pool.wait(`a${at}`);
      }
      for (const name of pool.served("a")) {
        await pool.call("a", `${name} inside`, { group: name });
        if (pool.served("a").includes(`${name} inside`)) await pool.wait(`${name} inside`);
      }
      assert.ok(
        pool.served("a").some((name) => name.endsWith(" inside")),
        "the calls of the app go on",
      );
      await pool.call("b", "b");
      await pool.wait("b");
      await pool.call("b", "b inside", { group: "b" });
      assert.deepEqual(pool.served("b"), ["b", "b inside"], `${maxMembers} guests`);
    }
  });

  it("hold half of the guests, and the first call of another app's new tool is served at once", async () => {
    await using pool = new FakePool(2, 16);
    await sleepers(pool, 60);
    assert.equal(pool.served("sleepy").length, 8);
    for (const preparation of ["inspect", "compile"]) {
      await pool.call("quick", preparation, { neverWaits: true });
      assert.deepEqual(pool.served(preparation), [preparation]);
      await pool.end(preparation);
    }
    await pool.call("quick", "run");
    assert.deepEqual(pool.served("run"), ["run"]);
  });

  it("leave a guest to each of several others that come later, and take what those give back", async () => {
    await using pool = new FakePool(2, 8);
    await sleepers(pool, 60);
    for (const tenant of ["b", "c", "d", "e"]) {
      await pool.call(tenant, tenant);
      await pool.wait(tenant);
    }
    assert.deepEqual(pool.served(), ["b", "c", "d", "e", "sleepy 0", "sleepy 1", "sleepy 2", "sleepy 3"]);
    await pool.call("f", "f");
    await pool.end("sleepy 1");
    assert.deepEqual(pool.served("f"), ["f"]);
    for (const tenant of ["b", "c", "d", "e", "f"]) await pool.end(tenant);
    assert.equal(pool.served("sleepy").length, 4);
  });

  it("do not keep the file of a tool that one of them calls from being compiled", async () => {
    await using pool = new FakePool(2, 8);
    await sleepers(pool, 60);
    await pool.call("sleepy", "compile", { neverWaits: true });
    assert.deepEqual(pool.served("compile"), ["compile"]);
  });

  it("leave two guests to others when each calls a tool that sleeps too", async () => {
    await using pool = new FakePool(2, 8);
    await sleepers(pool, 60);
    for (let index = 0; index < 4; index++) {
      await pool.call("sleepy", `inner ${index}`, { group: `sleepy ${index}` });
      if (pool.served().includes(`inner ${index}`)) await pool.wait(`inner ${index}`);
    }
    assert.deepEqual(pool.served("inner"), ["inner 0", "inner 1"]);
    await pool.call("quick", "run");
    assert.deepEqual(pool.served("run"), ["run"]);
    await pool.end("run");
    await pool.end("inner 0");
    assert.deepEqual(pool.served("inner"), ["inner 1", "inner 2"]);
  });
});

describe("an app that fills its memory (PY-43)", () => {
  const MANY = 60 << 20;
  const SOME = 20 << 20;

  /** Two heavy calls of one app are served, more wait, and a third guest stands ready. */
  async function heavyPool(): Promise<FakePool> {
    const pool = new FakePool(2, 16);
    for (let index = 0; index < 20; index++) await pool.call("heavy", `heavy ${index}`);
    assert.deepEqual(pool.served(), ["heavy 0", "heavy 1"]);
    pool.holdStarts = true;
    return pool;
  }

  it("waits for the guest that replaces its own, while another app's call finds one ready", async () => {
    await using pool = await heavyPool();
    pool.guestOf("heavy 0").grownBytes = MANY;
    await pool.end("heavy 0");
    assert.deepEqual([pool.served(), pool.starts.length], [["heavy 1"], 1]);
    await pool.call("quick", "quick");
    assert.deepEqual(pool.served(), ["heavy 1", "quick"]);
    await pool.end("quick");
    assert.deepEqual(pool.served(), ["heavy 1"]);
    for (const start of pool.starts) start();
    await settled();
    assert.deepEqual(pool.served(), ["heavy 1", "heavy 2"]);
  });

  for (const [what, ending] of [
    ["grew", "answered"],
    ["was cut off", "timeout"],
  ] as const) {
    it(`waits while the memory of a call that ${what} is restored, and another app is not given that guest`, async () => {
      await using pool = await heavyPool();
      const guest = pool.guestOf("heavy 0");
      guest.grownBytes = what === "grew" ? SOME : 0;
      await pool.end("heavy 0", ending);
      assert.deepEqual(pool.served(), ["heavy 1"]);
      await pool.call("quick", "quick");
      assert.notEqual(pool.guestOf("quick"), guest);
      await pool.end("quick");
      assert.deepEqual(pool.served(), ["heavy 1"]);
      guest.restored?.();
      await settled();
      assert.deepEqual(pool.served(), ["heavy 1", "heavy 2"]);
    });
  }
});
