import assert from "node:assert/strict";
import { it, mock } from "node:test";
import { startResponseTimeout } from "./response-timeout.ts";

it("A provider has fifteen seconds for each piece, and its reader as long as it likes", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const timeout = startResponseTimeout();
    const pieces = timeout.watch(
      (async function* () {
        yield* ["one", "two"];
        await new Promise(() => {});
      })(),
    );
    mock.timers.tick(14_999);
    assert.equal((await pieces.next()).value, "one");
    mock.timers.tick(60_000);
    assert.equal((await pieces.next()).value, "two");
    assert.equal(timeout.signal.aborted, false, "the reader was playing the first piece");
    void pieces.next();
    mock.timers.tick(14_999);
    assert.equal(timeout.signal.aborted, false);
    mock.timers.tick(1);
    assert.match(String(timeout.signal.reason), /no answer in 15 seconds/);
  } finally {
    mock.timers.reset();
  }
});
