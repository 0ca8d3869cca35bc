import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createWebFetch } from "./web-fetch.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("the web's fetch over the gate", () => {
  it("ends with its caller's signal, however long the answer has been under way", async () => {
    let ended: AbortSignal | undefined;
    const fetch = createWebFetch(async (_, signal) => {
      ended = signal;
      // As the gate does: whoever waits for an answer listens.
      signal.addEventListener("abort", () => undefined);
      return { status: 200, statusText: "", headers: {}, body: (async function* () {})() };
    });
    const left = new AbortController();
    await fetch("https://example.com/", { signal: left.signal });
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    left.abort();
    assert.equal(ended?.aborted, true);
  });
});
