import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { type ServerMessage, textOf } from "../live/messages.ts";
import { type LiveWire, verifiesLive } from "./verifies-live.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const WHERE = "Where is my order A-1001?";

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());
const address = () => server.address;

const newSession = () => `${APP}/sessions/${randomUUID()}`;
type Open = () => Promise<LiveWire>;

/** A stream whose config was sent. */
async function started(open: Open, session = newSession(), more: object = {}): Promise<LiveWire> {
  const client = await open();
  client.send({ config: { session, ...more } });
  return client;
}

/** The text of RunSession's answer. */
async function ask(session: string, text: string): Promise<string> {
  const response = await fetch(`${server.address}/v1beta/${session}:runSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: { session }, inputs: [{ text }] }),
  });
  const { outputs = [] } = (await response.json()) as { outputs?: NonNullable<ServerMessage["sessionOutput"]>[] };
  return textOf(outputs.map((sessionOutput) => ({ sessionOutput })));
}

const lastTurnIndex = (turn: readonly ServerMessage[]) => turn.at(-1)?.sessionOutput?.turnIndex;

describe("live sessions", () => {
  verifiesLive("live-silent", address, async (open) => {
    await using client = await started(open);
    client.say(WHERE);
    assert.match((await client.next())?.sessionOutput?.text ?? "", /^Order A-1001/);
  });

  verifiesLive("live-order", address, async (open) => {
    await using client = await started(open);
    client.say(WHERE);
    const turn = await client.turn();
    assert.deepEqual(
      turn.map(({ sessionOutput }) => [
        !!sessionOutput?.text,
        !!sessionOutput?.turnCompleted,
        !!sessionOutput?.diagnosticInfo,
      ]),
      [
        [true, false, false],
        [false, true, true],
      ],
    );
  });

  verifiesLive("live-whole", address, async (open) => {
    const texts: (readonly string[])[] = [];
    for (const enableTextStreaming of [false, true]) {
      await using client = await started(open, newSession(), { enableTextStreaming });
      client.say(WHERE);
      texts.push((await client.turn()).flatMap(({ sessionOutput }) => sessionOutput?.text || []));
    }
    const [whole = [], pieces = []] = texts;
    assert.deepEqual([whole.length, pieces.length > 1], [1, true]);
    assert.equal(pieces.join(""), whole.join(""));
  });

  verifiesLive("live-fragments", address, async (open) => {
    await using client = await started(open);
    client.send({ realtimeInput: { text: "Where is my ", willContinue: true } });
    client.send({ realtimeInput: { text: "order A-1001?" } });
    const turn = await client.turn();
    assert.match(textOf(turn), /^Order A-1001/);
    assert.equal(lastTurnIndex(turn), 1);
  });

  verifiesLive("live-variables", address, async (open) => {
    await using client = await started(open);
    // A Struct is spelt out for grpc-js and plain in JSON; each wire sees nothing in the other's spelling.
    client.send({ realtimeInput: { variables: { fields: { customer_name: { stringValue: "Grace" } } } } });
    client.send({ realtimeInput: { variables: { customer_name: "Grace" } } });
    for (let noted = 0; noted < 2; noted++)
      assert.equal((await client.next())?.sessionOutput?.turnCompleted ?? false, false);
    client.say("thanks, bye");
    const turn = await client.turn();
    assert.match(textOf(turn), /Grace/);
    assert.equal(lastTurnIndex(turn), 1);
  });

  verifiesLive("live-queued", address, async (open) => {
    await using client = await started(open);
    client.say(WHERE);
    client.say("Do you wrap gifts?");
    client.say("Where is A-9999?");
    const texts = [textOf(await client.turn()), textOf(await client.turn()), textOf(await client.turn())];
    assert.match(texts.join("|"), /^Order A-1001.*\|We wrap every gift.*\|I could not find an order A-9999/);
  });

  verifiesLive("live-end", address, async (open) => {
    await using client = await started(open);
    client.say("thanks, bye");
    client.say("Are you still there?");
    const turn = await client.turn();
    assert.equal(turn.filter(({ sessionOutput }) => sessionOutput?.endSession).length, 1);
    assert.ok((await client.next())?.endSession?.metadata);
    assert.equal(await client.next(), undefined);
    assert.equal(await client.ended, "OK");
  });

  verifiesLive("live-ended", address, async (open) => {
    const session = newSession();
    await ask(session, "thanks, bye");
    await using client = await started(open, session);
    client.say(WHERE);
    assert.equal(await client.ended, "FAILED_PRECONDITION");
  });

  verifiesLive("live-resumed", address, async (open) => {
    const session = newSession();
    for (const index of [1, 2]) {
      await using client = await started(open, session);
      client.say(WHERE);
      assert.equal(lastTurnIndex(await client.turn()), index);
    }
  });

  verifiesLive("live-mixed", address, async (open) => {
    const session = newSession();
    await ask(session, WHERE);
    await using client = await started(open, session);
    client.say("I want to return it");
    assert.match(textOf(await client.turn()), /reason for the return/);
    assert.match(await ask(session, "It arrived broken"), /^I have started return R-1001 for order A-1001\./);
  });

  verifiesLive("live-config-first", address, async (open) => {
    await using client = await open();
    client.say(WHERE);
    assert.equal(await client.ended, "INVALID_ARGUMENT");
  });

  verifiesLive("live-config-once", address, async (open) => {
    await using client = await started(open);
    client.send({ config: { session: newSession() } });
    assert.equal(await client.ended, "INVALID_ARGUMENT");
  });

  verifiesLive("live-unknown-deployment", address, async (open) => {
    await using client = await started(open, newSession(), { deployment: `${APP}/deployments/nowhere` });
    assert.equal(await client.ended, "NOT_FOUND");
  });

  verifiesLive("live-audio-input", address, async (open) => {
    await using client = await started(open);
    client.send({ realtimeInput: { audio: "AAAA" } });
    assert.equal(await client.ended, "INVALID_ARGUMENT");
  });

  verifiesLive("live-unasked-response", address, async (open) => {
    await using client = await started(open);
    const toolResponses = [{ id: "nobody", tool: `${APP}/tools/t`, response: {} }];
    client.send({ realtimeInput: { toolResponses: { toolResponses } } });
    assert.equal(lastTurnIndex(await client.turn()), 1);
    client.say(WHERE);
    assert.match(textOf(await client.turn()), /^Order A-1001/);
  });
});
