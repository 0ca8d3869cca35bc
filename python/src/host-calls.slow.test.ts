import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";
import type { HostFunctions } from "./contract.ts";
import type { JsonObject, JsonValue } from "./json.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

/** Catches what a call of the host raises. */
const CAUGHT = `
def caught(call):
    try:
        return call()
    except RuntimeError as error:
        return [type(error).__name__, str(error)]
`;

describe("a host function", () => {
  it("gets keyword arguments as JSON, and its result comes back", async () => {
    const hostFunctions: HostFunctions = { add: async ({ a, b }) => ({ sum: Number(a) + Number(b) }) };
    const code = `def f(a: int):\n    return host.add(a=a, b=2)["sum"]\n`;
    assert.equal(await sandbox.value(code, { keyword: { a: 1 }, hostFunctions }), 3);
  });

  it("that fails or does not exist raises its message", async () => {
    const hostFunctions: HostFunctions = {
      async fail() {
        throw new Error("it broke");
      },
    };
    const code = `${CAUGHT}def f():\n    return [caught(host.fail), caught(host.missing), caught(host.constructor)]\n`;
    assert.deepEqual(await sandbox.value(code, { entry: "f", hostFunctions }), [
      ["HostRefusal", "it broke"],
      ["HostRefusal", 'the host has no function "missing"'],
      ["HostRefusal", 'the host has no function "constructor"'],
    ]);
  });

  it("runs beside others when it is started, and is waited for with its handle, once", async () => {
    const code = `${CAUGHT}
from sealed_guest import channel
def f():
    handles = [channel.start("meet", {"n": n}) for n in range(3)]
    return [channel.wait(handle) for handle in handles] + [caught(lambda: channel.wait(handles[0]))]
`;
    const waiting: (() => void)[] = [];
    const meet = async ({ n = null }: JsonObject): Promise<JsonValue> => {
      // Nobody is answered before all three have asked.
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const go of waiting) go();
      });
      return n;
    };
    assert.deepEqual(await sandbox.value(code, { entry: "f", hostFunctions: { meet } }), [
      ...[0, 1, 2],
      ["HostRefusal", "there is no such running call"],
    ]);
  });

  it("may be called a hundred times a run; the next call raises", async () => {
    const code = `${CAUGHT}def f():\n    return caught(lambda: [host.echo() for _ in range(101)])\n`;
    const hostFunctions: HostFunctions = { echo: async (args) => args };
    assert.deepEqual(await sandbox.value(code, { entry: "f", hostFunctions }), [
      "HostRefusal",
      "a run may make 100 calls to the outside, and made them",
    ]);
  });

  it("may run code in turn, deeper than there are guests", async () => {
    await using small = createTestSandbox({ maxGuests: 1 });
    const code = `def f(depth: int):\n    return depth if depth == 0 else host.f(depth=depth - 1) + 1\n`;
    const nested = async (depth: number): Promise<JsonValue> => {
      const hostFunctions: HostFunctions = { f: ({ depth }) => nested(Number(depth)) };
      return (await small.value(code, { keyword: { depth }, group: "nested", hostFunctions })) as JsonValue;
    };
    assert.equal(await nested(4), 4);
  });

  it("sees an aborted signal when its run is ended", async () => {
    const abort = new AbortController();
    const kind = await new Promise<string>((resolve) => {
      const hang = (_args: JsonObject, signal: AbortSignal) =>
        new Promise<JsonValue>(() => {
          signal.addEventListener("abort", () => void outcome.then((ended) => resolve(ended.kind)));
          abort.abort();
        });
      const outcome = sandbox.run("def f():\n    host.hang()\n", { signal: abort.signal, hostFunctions: { hang } });
    });
    assert.equal(kind, "cancelled");
  });

  it("named http serves urllib.request", async () => {
    const code = `
import json, urllib.request
def f():
    with urllib.request.urlopen("https://a.example/x", timeout=4) as response:
        return [response.status, json.load(response)]
`;
    const calls: JsonObject[] = [];
    const http = async (call: JsonObject) => {
      calls.push(call);
      return { status: 200, reason: "OK", text: "[1]" };
    };
    assert.deepEqual(await sandbox.value(code, { hostFunctions: { http } }), [200, [1]]);
    assert.partialDeepStrictEqual(calls, [{ method: "GET", url: "https://a.example/x", timeout: 4 }]);
  });
});
