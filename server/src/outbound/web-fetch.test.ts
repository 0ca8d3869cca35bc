import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createWebFetch } from "./web-fetch.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("fetch over the egress gate", () => {
  it("aborts with its caller's signal after the Request was garbage collected", async () => {
    let received: AbortSignal | undefined;
    const fetch = createWebFetch(async (_, signal) => {
      received = signal;
      // As the gate does while it waits for a response.
      signal.addEventListener("abort", () => undefined);
      return { status: 200, statusText: "", headers: {}, body: (async function* () {})() };
    });
    const caller = new AbortController();
    await fetch("https://example.com/", { signal: caller.signal });
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    caller.abort();
    assert.equal(received?.aborted, true);
  });
});
