import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OutputQueue } from "./output-queue.ts";

const sound = { case: "sessionOutput", value: { outputType: { case: "audio", value: new Uint8Array(2) } } } as const;
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

describe("what waits for a client", () => {
  it("is read in order, up to the end", async () => {
    const output = new OutputQueue();
    output.put(words("a"));
    output.put(sound);
    assert.deepEqual(await kindsIn(output), ["recognitionResult", "sessionOutput"]);
    output.put(words("late"));
    assert.deepEqual(await kindsIn(output), []);
  });

  it("loses its sound when nobody is to nextInput it any more, and nothing else", async () => {
    const output = new OutputQueue();
    for (const message of [sound, words("a"), sound]) output.put(message);
    output.dropAudio();
    assert.deepEqual(await kindsIn(output), ["recognitionResult"]);
  });

  it("makes sound wait while the client does not read, until it does", async () => {
    const output = new OutputQueue();
    for (let count = 0; count < 32; count++) output.put(sound);
    const room = output.waitForCapacity();
    assert.deepEqual([output.full, await isSettled(room)], [true, false]);
    const reader = output.messages();
    await reader.next();
    assert.deepEqual([output.full, await isSettled(room)], [false, true]);
  });

  it("keeps nobody waiting when the reader has left", async () => {
    const output = new OutputQueue();
    for (let count = 0; count < 40; count++) output.put(sound);
    const reader = output.messages();
    await reader.next();
    const room = output.waitForCapacity();
    assert.equal(await isSettled(room), false);
    await reader.return();
    assert.equal(await isSettled(room), true);
  });

  it("fails after what waits, when the conversation broke", async () => {
    const output = new OutputQueue();
    output.put(words("a"));
    output.fail(new Error("broken"));
    const reader = output.messages();
    assert.equal((await reader.next()).done, false);
    await assert.rejects(reader.next(), /broken/);
  });
});
