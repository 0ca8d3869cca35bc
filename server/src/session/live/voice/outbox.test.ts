import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Outbox } from "./outbox.ts";

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

async function kindsIn(outbox: Outbox): Promise<readonly (string | undefined)[]> {
  outbox.end();
  const kinds: (string | undefined)[] = [];
  for await (const { messageType } of outbox.messages()) kinds.push(messageType.case);
  return kinds;
}

describe("what waits for a client", () => {
  it("is read in order, up to the end", async () => {
    const outbox = new Outbox();
    outbox.put(words("a"));
    outbox.put(sound);
    assert.deepEqual(await kindsIn(outbox), ["recognitionResult", "sessionOutput"]);
    outbox.put(words("late"));
    assert.deepEqual(await kindsIn(outbox), []);
  });

  it("loses its sound when nobody is to hear it any more, and nothing else", async () => {
    const outbox = new Outbox();
    for (const message of [sound, words("a"), sound]) outbox.put(message);
    outbox.dropSound();
    assert.deepEqual(await kindsIn(outbox), ["recognitionResult"]);
  });

  it("makes sound wait while the client does not read, until it does", async () => {
    const outbox = new Outbox();
    for (let count = 0; count < 32; count++) outbox.put(sound);
    const room = outbox.room();
    assert.deepEqual([outbox.full, await isSettled(room)], [true, false]);
    const reader = outbox.messages();
    await reader.next();
    assert.deepEqual([outbox.full, await isSettled(room)], [false, true]);
  });

  it("keeps nobody waiting when the reader has left", async () => {
    const outbox = new Outbox();
    for (let count = 0; count < 40; count++) outbox.put(sound);
    const reader = outbox.messages();
    await reader.next();
    const room = outbox.room();
    assert.equal(await isSettled(room), false);
    await reader.return();
    assert.equal(await isSettled(room), true);
  });

  it("fails after what waits, when the conversation broke", async () => {
    const outbox = new Outbox();
    outbox.put(words("a"));
    outbox.fail(new Error("broken"));
    const reader = outbox.messages();
    assert.equal((await reader.next()).done, false);
    await assert.rejects(reader.next(), /broken/);
  });
});
