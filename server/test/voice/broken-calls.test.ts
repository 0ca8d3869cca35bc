import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { StreamPart } from "#models";
import { joinSamples, silence } from "#speech";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { openRaw } from "../live/raw-client.ts";
import { WS_PATH } from "../live/web-socket-client.ts";
import { type Rest, restOf } from "../rest.ts";
import { buzz, SAID } from "./buzz.ts";
import { inShort, openVoice, type SpanJson, spansOf, type VoiceMessage } from "./voice-client.ts";
import { startVoiceServer, text, type VoiceServer } from "./voice-server.ts";

/** Resolves when a seat becomes free. */
const seatIsFree = Promise.withResolvers<void>();
const seats = createServer((_request, response) => {
  void seatIsFree.promise.then(() => response.end('{"seat": 8}'));
});

let voice: VoiceServer;
let rest: Rest;
let app: string;
before(async () => {
  await new Promise<void>((resolve) => seats.listen(0, "127.0.0.1", resolve));
  const { port } = seats.address() as AddressInfo;
  voice = await startVoiceServer();
  rest = restOf(() => voice.server);
  app = await appOfOneAgent(
    voice.server,
    "bookings",
    { instruction: "Book." },
    {
      audioProcessingConfig: { bargeInConfig: { bargeInAwareness: true } },
    },
  );
  const pythonCode = (body: string) => `def ${body}\n`;
  await rest("POST", `${app}/tools?toolId=book-it`, {
    pythonFunction: { name: "book", pythonCode: pythonCode("book() -> dict:\n  return {'seat': 7}") },
  });
  await rest("POST", `${app}/tools?toolId=wait-for`, {
    executionType: "ASYNCHRONOUS",
    pythonFunction: {
      name: "wait",
      pythonCode: pythonCode(`wait() -> dict:\n  return ces_requests.get(url="http://127.0.0.1:${port}/").json()`),
    },
  });
  await rest("PATCH", `${app}/agents/root-agent?updateMask=tools`, {
    tools: [`${app}/tools/book-it`, `${app}/tools/wait-for`],
  });
});
after(async () => {
  await voice[Symbol.asyncDispose]();
  seats.close();
});

interface StoredTurn {
  readonly rootSpan: { readonly childSpans: readonly SpanJson[] };
}

const newSession = () => `${app}/sessions/${randomUUID()}`;
const callOf = (name: string): StreamPart => ({ kind: "function-call", id: `call-${name}`, name, args: {} });
const isSound = ({ sessionOutput }: VoiceMessage) => (sessionOutput?.audio?.length ?? 0) > 0;
const isInterruption = ({ interruptionSignal }: VoiceMessage) => Boolean(interruptionSignal);
const says = (words: string) => (message: VoiceMessage) => message.sessionOutput?.text === words;

/** The stored conversation once no turn runs; "" when there is none. */
async function storedOf(session: string): Promise<string> {
  await delay(50); // The server has noticed that the caller is gone.
  await voice.server.app.sessions.drained();
  const found = await fetch(`${voice.server.address}/v1beta/${session.replace("/sessions/", "/conversations/")}`);
  return found.status === 404 ? "" : JSON.stringify(await found.json());
}

describe("a caller whose connection breaks off (TURN-48)", () => {
  const CONFIRMATION = "Seat 7 is booked. ".repeat(20).trim();

  it("has booked, though the confirmation was not heard to its end: gRPC", async () => {
    voice.answer = (words) => (words === "book" ? [callOf("book")] : text(CONFIRMATION));
    const session = newSession();
    await using caller = await openVoice(voice.server.address, "gRPC", session);
    caller.wire.say("book");
    await caller.until(isSound);
    await caller[Symbol.asyncDispose]();
    assert.match(await storedOf(session), /"seat":7.*Seat 7 is booked\./);
    await using again = await openVoice(voice.server.address, "gRPC", session);
    voice.answer = () => text("You have it.");
    again.wire.say("Do I have a seat?");
    assert.deepEqual(inShort(await again.turn()), ["said: You have it.", "sound", "completed 2"]);
  });

  it("has booked, though the line was cut: WebSocket", async () => {
    voice.answer = (words) => (words === "book" ? [callOf("book")] : text(CONFIRMATION));
    const session = newSession();
    const caller = await openRaw(voice.server.address, WS_PATH);
    const outputAudioConfig = { audioEncoding: "MULAW", sampleRateHertz: 8_000 };
    caller.send({ config: { session, outputAudioConfig } });
    caller.send({ realtimeInput: { text: "book" } });
    while (!String((await caller.frame()).payload).includes('"audio"'));
    caller.reset();
    assert.match(await storedOf(session), /"seat":7.*Seat 7 is booked\./);
  });

  it("is not spoken to any more when it hung up, and is answered at once when it calls again (WIRE-52)", async () => {
    const long = "Seat 7 is booked. ".repeat(200).trim(); // More speech than is synthesized ahead.
    voice.answer = (words) => text(words === "book" ? long : "A window seat.");
    const session = newSession();
    const caller = await openVoice(voice.server.address, "WebSocket", session);
    caller.wire.say("book");
    await caller.until(isSound);
    caller.wire.halfClose();
    await using again = await openVoice(voice.server.address, "WebSocket", session);
    again.wire.say("Window?");
    assert.deepEqual(inShort(await again.turn()), ["said: A window seat.", "sound", "completed 2"]);
    const { turns }: { readonly turns: readonly StoredTurn[] } = JSON.parse(await storedOf(session));
    const interrupted = turns.map(({ rootSpan }) =>
      rootSpan.childSpans.some(({ name, attributes }) => name === "TextToSpeech" && attributes?.interrupted === true),
    );
    assert.deepEqual(interrupted, [true, false]);
  });

  it("has left nothing when nothing had happened", async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    voice.answer = async function* () {
      asked.resolve();
      await go.promise;
      yield* text("Nobody hears this.");
    };
    const session = newSession();
    const caller = await openVoice(voice.server.address, "gRPC", session);
    caller.wire.say("book");
    await asked.promise;
    await caller[Symbol.asyncDispose]();
    await delay(50);
    go.resolve();
    assert.equal(await storedOf(session), "");
  });
});

describe("what an agent says after it was interrupted", () => {
  it("is heard when it comes later in the turn, once the user has finished (TURN-55)", async () => {
    const go = Promise.withResolvers<void>();
    voice.answer = async function* (words) {
      if (words === "book") yield* [...text("One moment, I will look for a seat that is free."), callOf("book")];
      else if (words === "okay") yield* text("Anything else?");
      else {
        await go.promise;
        yield* text("Seat 7 is yours.");
      }
    };
    voice.understands.push("okay");
    await using caller = await openVoice(voice.server.address, "gRPC", newSession());
    caller.wire.say("book");
    await caller.until(isSound);
    caller.speak(joinSamples([silence(1_600), buzz(0.5)]));
    await caller.until(isInterruption);
    go.resolve();
    await caller.until(says("Seat 7 is yours."));
    caller.speak(joinSamples([buzz(0.3), silence(8_000)]));
    assert.deepEqual(inShort(await caller.turn()).slice(-2), ["sound", "completed 1"]);
    assert.deepEqual(inShort(await caller.turn()), ["said: Anything else?", "sound", "completed 2"]);
    assert.deepEqual(voice.lastWords(), ["okay"], "the model is not told that the user missed what was heard");
  });

  it("is heard though the user spoke when it became known (TURN-56)", async () => {
    voice.answer = (words) => {
      if (words === "book") return [callOf("wait")];
      if (words.includes("completed with response")) return text("Seat 8 is yours, it has become free.");
      return text(words === "well" ? "Yes?" : "I wait for a seat.");
    };
    voice.understands.push("well", "well");
    await using caller = await openVoice(voice.server.address, "gRPC", newSession());
    caller.wire.say("book");
    const begun = await caller.turn();
    assert.deepEqual(inShort(begun).at(-1), "completed 1");
    const story = buzz(4);
    for (let at = 0; at < story.length; at += 800) {
      caller.speak(story.subarray(at, at + 800));
      await delay(100);
      if (at === 8_000) seatIsFree.resolve();
    }
    caller.speak(silence(8_000));
    await caller.until(says("Seat 8 is yours, it has become free."));
    const told = inShort(await caller.turn()).filter((word) => !word.startsWith("heard"));
    assert.deepEqual(told, ["sound", "completed 2"], "nobody interrupted it");
  });
});

describe("a server that was kept from listening for a moment", () => {
  it("hears as one utterance what the caller said without a pause (TURN-82)", async () => {
    voice.answer = (words) => text(`${words}?`);
    voice.understands.splice(0, Number.POSITIVE_INFINITY, "a seat please", "please");
    await using caller = await openVoice(voice.server.address, "gRPC", newSession());
    caller.speak(buzz(0.5));
    await delay(200);
    // Nothing in this process runs meanwhile, neither the caller nor the server.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    caller.speak(joinSamples([buzz(0.5), silence(8_000)]));
    assert.deepEqual(inShort(await caller.turn()).slice(-3), ["said: a seat please?", "sound", "completed 1"]);
    assert.deepEqual(voice.understands.splice(0), ["please"], "the second half was no utterance of its own");
  });
});

describe("a provider of speech that fails for a moment (TURN-57)", () => {
  for (const fault of [{ failures: 1 }, { garbage: "<html>" }])
    it(`is asked again for an utterance: ${Object.keys(fault)}`, async () => {
      voice.answer = (words) => text(`${words}?`);
      await using caller = await openVoice(voice.server.address, "gRPC", newSession());
      Object.assign(voice.provider, fault);
      voice.understands.splice(0, Number.POSITIVE_INFINITY, "a seat please");
      caller.speak(SAID);
      assert.deepEqual(inShort(await caller.turn()).slice(-3), ["said: a seat please?", "sound", "completed 1"]);
    });

  for (const fault of [{ failures: 1 }, { garbage: "<html>" }])
    it(`is asked again for a sentence: ${Object.keys(fault)}`, async () => {
      voice.answer = () => text("Seat 7.");
      await using caller = await openVoice(voice.server.address, "gRPC", newSession());
      Object.assign(voice.provider, fault);
      caller.wire.say("book");
      const turn = await caller.turn();
      assert.deepEqual(inShort(turn), ["said: Seat 7.", "sound", "completed 1"]);
      assert.equal(spansOf(turn, "TextToSpeech")[0]?.attributes?.error, undefined);
    });
});
