import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OutputQueue } from "./output-queue.ts";

const audio = { case: "sessionOutput", value: { outputType: { case: "audio", value: new Uint8Array(2) } } } as const;
const words = (transcript: string) => ({ case: "recognitionResult", value: { transcript } }) as const;

/** Whether a promise has resolved by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

async function kindsIn(output: OutputQueue): Promise<readonly (string | undefined)[]> {
  output.end();
  const kinds: (string | undefined)[] = [];
  for await (const { messageType } of output.messages()) kinds.push(messageType.case);
  return kinds;
}

describe("the output queue of a client", () => {
  it("is read in order, up to the end", async () => {
    const output = new OutputQueue();
    output.put(words("a"));
    output.put(audio);
    assert.deepEqual(await kindsIn(output), ["recognitionResult", "sessionOutput"]);
    output.put(words("late"));
    assert.deepEqual(await kindsIn(output), []);
  });

  it("drops its audio on an interruption, and nothing else", async () => {
    const output = new OutputQueue();
    for (const message of [audio, words("a"), audio]) output.put(message);
    output.dropAudio();
    assert.deepEqual(await kindsIn(output), ["recognitionResult"]);
  });

  it("applies backpressure to audio until the client reads", async () => {
    const output = new OutputQueue();
    for (let count = 0; count < 32; count++) output.put(audio);
    const capacity = output.waitForCapacity();
    assert.deepEqual([output.full, await isSettled(capacity)], [true, false]);
    const reader = output.messages();
    await reader.next();
    assert.deepEqual([output.full, await isSettled(capacity)], [false, true]);
  });

  it("releases a waiting producer when the reader has left", async () => {
    const output = new OutputQueue();
    for (let count = 0; count < 40; count++) output.put(audio);
    const reader = output.messages();
    await reader.next();
    const capacity = output.waitForCapacity();
    assert.equal(await isSettled(capacity), false);
    await reader.return();
    assert.equal(await isSettled(capacity), true);
  });

  it("lets its client send no more while it has hundreds of answers to read (WIRE-82)", async () => {
    const output = new OutputQueue();
    for (let count = 0; count < 256; count++) output.put(words("a"));
    const reads = output.waitForReader();
    assert.equal(await isSettled(reads), false);
    await output.messages().next();
    assert.equal(await isSettled(reads), true);
  });

  it("fails after the queued messages when the conversation failed", async () => {
    const output = new OutputQueue();
    output.put(words("a"));
    output.fail(new Error("broken"));
    const reader = output.messages();
    assert.equal((await reader.next()).done, false);
    await assert.rejects(reader.next(), /broken/);
  });
});
