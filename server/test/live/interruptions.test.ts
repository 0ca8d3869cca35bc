import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startTestServer } from "#testing";
import { openGrpc } from "./grpc-client.ts";
import type { ServerMessage } from "./messages.ts";
import { openRaw } from "./raw-client.ts";
import { WS_PATH } from "./web-socket-client.ts";

const PARENT = "projects/test/locations/us";
const APP = `${PARENT}/apps/one-agent`;

/** Says how many things the user has said and what the last one was, and takes a moment in between when it is asked to. */
const COUNTING: LanguageModel = {
  label: "test/counting",
  capabilities: LLM_CAPABILITIES,
  async *stream({ messages }): AsyncGenerator<StreamPart, void> {
    const said = messages.flatMap(({ role, parts }) => (role === "user" ? parts : []));
    const last = said.at(-1);
    const text = last?.kind === "text" ? last.text : "";
    yield { kind: "text-delta", text: `${said.length}: ` };
    if (text.startsWith("slow")) await delay(20);
    yield { kind: "text-delta", text };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

/** One connection of a client that may break it off at any time. */
interface Line {
  send(message: object): void;
  next(): Promise<ServerMessage | undefined>;
  /** Leaves without a word. */
  breakOff(): Promise<void>;
}

/** Neither client shares a line of code with the server. */
const WIRES: Readonly<Record<string, (address: string) => Promise<Line>>> = {
  WebSocket: async (address) => {
    const raw = await openRaw(address, WS_PATH);
    return {
      send: raw.send,
      next: async () => JSON.parse((await raw.frame()).payload.toString()) as ServerMessage,
      breakOff: async () => raw.reset(),
    };
  },
  gRPC: async (address) => {
    const client = openGrpc(address);
    return { send: client.send, next: client.next, breakOff: async () => client[Symbol.asyncDispose]() };
  },
};

/** What the user says in thirty turns. The ones marked with `~` come while the turn before them is under way. */
const LINES = Array.from({ length: 30 }, (_, index) => `${index % 5 === 3 ? "~" : ""}line ${index + 1}`);

/** Before these turns the user says something else, and the connection breaks in the middle of the answer. */
const BROKEN_BEFORE: ReadonlySet<number> = new Set([0, 6, 7, 12, 20, 29]);

function brokenBefore(line: number): number {
  return [...BROKEN_BEFORE].filter((at) => at <= line).length;
}

for (const [name, open] of Object.entries(WIRES)) {
  describe(`a conversation of thirty turns over ${name}`, () => {
    it("continues after broken connections and overlapping inputs, and keeps what the user said and heard of before", async () => {
      await using server = await startTestServer({ model: COUNTING });
      await createApp(server.address);
      const session = `${APP}/sessions/interrupted-1`;
      const connect = async (): Promise<Line> => {
        const line = await open(server.address);
        line.send({ config: { session, enableTextStreaming: true } });
        return line;
      };
      let line = await connect();
      const heard: string[] = [];
      let broken = 0;
      for (let said = 0; heard.length < LINES.length; ) {
        if (BROKEN_BEFORE.has(said)) {
          line.send({ realtimeInput: { text: "slow talk" } });
          assert.equal((await line.next())?.sessionOutput?.text, `${said + broken + 1}: `);
          await line.breakOff();
          broken++;
          line = await connect();
        }
        line.send({ realtimeInput: { text: LINES[said++] } });
        while (LINES[said]?.startsWith("~")) line.send({ realtimeInput: { text: LINES[said++] } });
        while (heard.length < said) heard.push(await turnOf(line, heard.length + broken + 1));
      }
      await line.breakOff();
      assert.deepEqual(
        heard,
        LINES.map((text, index) => `${index + 1 + brokenBefore(index)}: ${text}`),
      );
      const conversation = await fetch(`${server.address}/v1beta/${session.replace("/sessions/", "/conversations/")}`);
      const { turnCount, turns } = (await conversation.json()) as { turnCount: number; turns: readonly unknown[] };
      assert.deepEqual([turnCount, turns.length], [36, 36]);
      assert.equal(JSON.stringify(turns).match(/: slow talk"/g)?.length, 6);
    });
  });
}

/** The words of one turn, which has to be the one of this index. */
async function turnOf(line: Line, index: number): Promise<string> {
  let text = "";
  for (;;) {
    const message = await line.next();
    assert.ok(message?.sessionOutput, `an output of turn ${index}`);
    assert.equal(message.sessionOutput.turnIndex, index);
    text += message.sessionOutput.text ?? "";
    if (message.sessionOutput.turnCompleted) return text;
  }
}

async function createApp(address: string): Promise<void> {
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${address}/v1beta/${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  };
  await call("POST", `${PARENT}/apps?appId=one-agent`, { displayName: "One agent" });
  await call("POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", instruction: "Count." });
  await call("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
}
