import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { definedFields } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { openGrpc } from "./grpc-client.ts";
import { type LiveClient, type ServerMessage, textOf } from "./messages.ts";
import { openWebSocket } from "./web-socket-client.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const newSession = () => `${APP}/sessions/${randomUUID()}`;

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

/** Thirty things to say. `~` marks what is said while the answer before it is still on its way. */
const LINES = [
  "Where is my order a1001?",
  "I want to return it",
  "It arrived broken",
  "How long is a return possible?",
  "When are you open on Friday?",
  "~Do you wrap gifts?",
  "~My card is 4111 1111 1111 1111",
  "Where is A-9999?",
  "Where is my order A-1002?",
  "~Where is my order A-1003?",
  "Where is my order A-1004?",
  "I want to return order A-1004",
  "I changed my mind",
  "no",
  "When are you open on Sunday?",
  "~How long is a return possible?",
  "Where is my order A-1001?",
  "Do you wrap gifts?",
  "hello",
  "~Where is my order A-1002?",
  "~Where is my order A-1003?",
  "~Where is A-9999?",
  "When are you open on Monday?",
  "My card is 4111 1111 1111 1111",
  "Where is my order A-1001?",
  "I want to return it",
  "It has a crack",
  "When are you open on Friday?",
  "Where is my order A-1003?",
  "thanks, bye",
];

/** What RunSession answers to the same words: every wire has to agree with it. */
async function unaryAnswers(): Promise<readonly string[]> {
  const session = newSession();
  const answers: string[] = [];
  for (const line of LINES) {
    const response = await fetch(`${server.address}/v1/${session}:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: { session }, inputs: [{ text: line.replace("~", "") }] }),
    });
    const { outputs = [] } = (await response.json()) as { outputs?: readonly ServerMessage["sessionOutput"][] };
    answers.push(textOf(outputs.map((sessionOutput) => definedFields({ sessionOutput }))));
  }
  return answers;
}

/** Holds the conversation; answers each turn's messages. */
async function converse(client: LiveClient): Promise<readonly (readonly ServerMessage[])[]> {
  client.send({ config: { session: newSession() } });
  const turns: (readonly ServerMessage[])[] = [];
  let said = 0;
  while (turns.length < LINES.length) {
    if (said === turns.length) client.say(LINES[said++] ?? "");
    while (LINES[said]?.startsWith("~")) client.say((LINES[said++] ?? "").slice(1));
    turns.push(await client.turn());
  }
  return turns;
}

const WIRES = {
  WebSocket: (address: string) => openWebSocket(address),
  gRPC: async (address: string) => openGrpc(address),
};

for (const [name, open] of Object.entries(WIRES)) {
  describe(`a conversation over ${name}`, () => {
    it("is answered in thirty turns as it is by RunSession, some of them said before the answer came", async () => {
      await using client = await open(server.address);
      const turns = await converse(client);
      assert.deepEqual(turns.map(textOf), await unaryAnswers());
      assert.deepEqual(
        turns.map((messages) => messages.at(-1)?.sessionOutput?.turnIndex),
        LINES.map((_, index) => index + 1),
      );
      assert.deepEqual((await client.next())?.endSession?.metadata !== undefined, true);
      assert.equal(await client.next(), undefined);
    });

    it("may be held over a connection a turn", async () => {
      const session = newSession();
      const answers: string[] = [];
      for (const line of ["Where is my order a1001?", "I want to return it", "It arrived broken"]) {
        await using client = await open(server.address);
        client.send({ config: { session } });
        client.say(line);
        answers.push(textOf(await client.turn()));
      }
      assert.match(answers[2] ?? "", /^I have started return R-1001 for order A-1001\./);
    });

    it("is greeted when it says welcome, and not before", async () => {
      await using client = await open(server.address);
      client.send({ config: { session: newSession() } });
      client.send({ realtimeInput: { event: { event: "welcome" } } });
      assert.match(textOf(await client.turn()), /^Hello, this is the order desk/);
    });

    it("accepts an utterance of a hundred thousand characters", async () => {
      await using client = await open(server.address);
      client.send({ config: { session: newSession() } });
      client.say(`Where is my order A-1001? ${"x".repeat(100_000)}`);
      assert.equal((await client.turn()).at(-1)?.sessionOutput?.turnIndex, 1);
    });
  });
}

describe("a conversation over Connect", () => {
  it("sends in both directions over HTTP/2", async () => {
    const transport = createConnectTransport({ baseUrl: server.address, httpVersion: "2" });
    const session = newSession();
    const said = async function* () {
      yield { messageType: { case: "config" as const, value: { session } } };
      for (const value of ["Do you wrap gifts?", "thanks, bye"])
        yield {
          messageType: { case: "realtimeInput" as const, value: { inputType: { case: "text" as const, value } } },
        };
    };
    const heard: (string | undefined)[] = [];
    for await (const { messageType } of createClient(SessionService, transport).bidiRunSession(said()))
      heard.push(messageType.case === "sessionOutput" ? messageType.value.outputType.case : messageType.case);
    assert.deepEqual(heard, ["text", undefined, "text", "endSession", undefined, "endSession"]);
  });
});
