import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import type { JsonObject, JsonValue } from "../json.ts";
import { encodeFrame, FrameType } from "../sealed/frames.ts";
import { Guest, type GuestResult } from "./guest.ts";
import type { ChannelEvents, GuestAsset } from "./guest-channel.ts";

/** Random sequences of frames that the quick set sends. */
const SEQUENCES = 400;

const text = (value: string) => new TextEncoder().encode(value);
const question = (value: string) => encodeFrame(FrameType.question, text(value));
const GOOD = resultFrame(0, "", '{"kind":"returned"}');

/** A guest whose process is played by the test: it sends what the test says, and notes whether it was killed. */
function fakeGuest(
  answer: (question: JsonValue) => Promise<JsonObject> = async () => ({ ok: true }),
  assets: Promise<readonly GuestAsset[]> = Promise.resolve([]),
) {
  const state = { kills: 0, sent: [] as number[], ends: [] as string[] };
  let events: ChannelEvents | undefined;
  const guest = new Guest(
    (given) => {
      events = given;
      return {
        send: (bytes) => void state.sent.push(bytes[4] ?? -1),
        deliver: async () => {},
        kill: () => void state.kills++,
        processorTime: () => undefined,
      };
    },
    assets,
    { onWaiting: () => {}, onEnd: (reason) => state.ends.push(reason) },
  );
  const send = (...frames: Uint8Array[]) => events?.onBytes(Buffer.concat(frames));
  const call = () => guest.call({ frame: Buffer.alloc(20), cpuMs: 60_000, wallMs: 60_000, answer }, false);
  return { guest, state, send, call, end: (reason: string) => events?.onEnd(reason) };
}

describe("a guest that keeps to the protocol", () => {
  it("starts, asks, is answered and gives its result, however its bytes are cut", async () => {
    const { guest, state, send, call } = fakeGuest();
    const bytes = Buffer.from(encodeFrame(FrameType.ready));
    for (const byte of bytes) send(Buffer.of(byte));
    await guest.ready;
    const result = call();
    for (const byte of question('{"op":"x"}')) send(Buffer.of(byte));
    await nextTick();
    assert.deepEqual(state.sent, [0, FrameType.answer]);
    for (const byte of resultFrame(0, '[[1,"a\\nb\\n"],[2,"c"]]', "{}")) send(Buffer.of(byte));
    const output = [
      { stream: "stdout", text: "a" },
      { stream: "stdout", text: "b" },
      { stream: "stderr", text: "c" },
    ];
    assert.deepEqual(await result, { ending: "answered", reported: true, body: "{}", output });
    assert.equal(state.kills, 0);
  });
});

describe("a guest whose image is still looked for", () => {
  it("runs already, and is given the image when it is there", async () => {
    const image = Promise.withResolvers<readonly GuestAsset[]>();
    const { guest, state, send } = fakeGuest(undefined, image.promise);
    await nextTick();
    assert.deepEqual(state.sent, []);
    image.resolve([text("image")]);
    await nextTick();
    assert.deepEqual(state.sent, [FrameType.asset]);
    send(encodeFrame(FrameType.ready));
    await guest.ready;
  });

  it("is ended when there is none", async () => {
    const { guest, state, end } = fakeGuest(undefined, Promise.reject(new Error("no image")));
    while (state.kills === 0) await nextTick();
    end("the guest process ended (SIGKILL)");
    await assert.rejects(guest.ready, /the guest process ended/);
  });
});

describe("what the code printed", () => {
  const printed = (value: string) => encodeFrame(FrameType.output, text(value));

  it("is there when the guest is killed before its result", async () => {
    const { guest, send, call } = fakeGuest();
    send(encodeFrame(FrameType.ready));
    await guest.ready;
    const result = call();
    send(printed('[[1,"a\\n"]]'), printed('[[4,"INFO b\\n"]]'));
    guest.kill("timeout", "too long");
    const output = [
      { stream: "stdout", text: "a" },
      { stream: "log", text: "INFO b" },
    ];
    assert.deepEqual(await result, { ending: "timeout", reported: false, body: "too long", output });
  });

  it("comes before what the result brings, and is forgotten with its call", async () => {
    const { guest, send, call } = fakeGuest();
    send(encodeFrame(FrameType.ready));
    await guest.ready;
    const first = call();
    send(printed('[[1,"a\\n"]]'), resultFrame(0, '[[1,"b\\n"]]', "{}"));
    assert.deepEqual(
      (await first).output.map((line) => line.text),
      ["a", "b"],
    );
    const second = call();
    send(GOOD);
    assert.deepEqual((await second).output, []);
  });
});

describe("a guest that breaks the protocol is killed", () => {
  const violations: readonly [claim: string, frames: readonly Uint8Array[]][] = [
    ["by a frame without a call", [encodeFrame(200)]],
    ["by starting twice", [encodeFrame(FrameType.ready)]],
    ["by an answer of its own", [encodeFrame(FrameType.answer, text("{}"))]],
    ["by a call of its own", [encodeFrame(FrameType.call, new Uint8Array(20))]],
    ["by a frame larger than any", [Buffer.of(255, 255, 255, 255, 4)]],
    ["by a second question before the answer", [question("{}"), question("{}")]],
    ["by a result before the answer", [question("{}"), GOOD]],
    ["by an empty result", [encodeFrame(FrameType.result)]],
    ["by a result that ends in its head", [encodeFrame(FrameType.result, new Uint8Array(5))]],
    ["by output before the answer", [question("{}"), encodeFrame(FrameType.output, text("[]"))]],
    [
      "by output in endless empty frames",
      Array.from({ length: 33_000 }, () => encodeFrame(FrameType.output, text("[]"))),
    ],
    ["by an unknown ending", [resultFrame(77, "", "{}")]],
    ["by output that is not JSON", [resultFrame(0, "[", "{}")]],
    ["by output that is no list", [resultFrame(0, "7", "{}")]],
    ["by output of other values", [resultFrame(0, '[null,[1,{"replace":1}]]', "{}")]],
    [
      "by output of a wrong length",
      [encodeFrame(FrameType.result, Buffer.from([0, 0, 0, 0, 0, 255, 255, 255, 127]), text("x"))],
    ],
    ["by more output than there can be", [resultFrame(0, JSON.stringify([[1, "\n".repeat(2 << 20)]]), "{}")]],
  ];
  for (const [claim, frames] of violations) {
    it(claim, async () => {
      const { guest, state, send, call } = fakeGuest();
      send(encodeFrame(FrameType.ready));
      await guest.ready;
      const result = call();
      send(...frames);
      assert.equal((await result).ending, "violation");
      assert.deepEqual([state.kills > 0, guest.alive], [true, false]);
    });
  }

  it("while it is idle, and before it is ready", async () => {
    const idle = fakeGuest();
    idle.send(encodeFrame(FrameType.ready));
    await idle.guest.ready;
    idle.send(GOOD);
    const early = fakeGuest();
    early.send(question("{}"));
    early.end("killed");
    await assert.rejects(early.guest.ready);
    assert.deepEqual([idle.state.kills, early.state.kills, early.state.ends], [1, 1, ["killed"]]);
  });

  it("by a question that cannot be answered, and nothing else is harmed", async () => {
    const { guest, send, call } = fakeGuest(() => Promise.reject(new Error("no")));
    send(encodeFrame(FrameType.ready));
    await guest.ready;
    const result = call();
    send(question("{}"));
    const body = "a question could not be answered: no";
    assert.deepEqual(await result, { ending: "crashed", reported: false, body, output: [] });
  });
});

describe("random frames", () => {
  it(`never do more than end their own guest (${SEQUENCES} sequences)`, async () => {
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const next = generator(seed);
      const { guest, send, call, end } = fakeGuest();
      send(encodeFrame(FrameType.ready));
      await guest.ready;
      const result = call();
      for (let count = 1 + next(6); count > 0; count--) send(randomFrame(next));
      await nextTick();
      end("the guest process ended");
      const { ending, output }: GuestResult = await result;
      assert.ok(["answered", "timeout", "violation", "crashed", "out-of-memory"].includes(ending), `seed ${seed}`);
      assert.ok(
        output.every(({ text: line }) => typeof line === "string"),
        `seed ${seed}`,
      );
      assert.equal(guest.alive, false);
    }
  });
});

function resultFrame(ending: number, output: string, body: string): Uint8Array {
  const head = Buffer.alloc(9);
  head[0] = ending;
  head.writeUInt32LE(Buffer.byteLength(output), 5);
  return encodeFrame(FrameType.result, head, text(output), text(body));
}

/** Frames of every type with lengths, texts and bytes that are nearly right, and bytes that are no frames. */
function randomFrame(next: (bound: number) => number): Uint8Array {
  const texts = ["{}", "[]", "null", '{"op":"tool"}', '{"op":1e999}', "[".repeat(5_000), '[[1,"x"]]', "\ud800", ""];
  const one = () => texts[next(texts.length)] ?? "";
  switch (next(5)) {
    case 0:
      return question(one());
    case 1:
      return resultFrame(next(7), one(), one());
    case 2:
      return encodeFrame(next(12), text(one()));
    case 3:
      return Buffer.from(Array.from({ length: next(40) }, () => next(256)));
    default: {
      const frame = Buffer.from(resultFrame(0, one(), one()));
      frame[next(frame.length)] = next(256);
      return frame;
    }
  }
}

/** Whole numbers below a bound, the same for the same seed (a linear congruential generator after Knuth). */
function generator(seed: number): (bound: number) => number {
  let state = BigInt(seed);
  return (bound) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn;
    return Number(state >> 33n) % bound;
  };
}
