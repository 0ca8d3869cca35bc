import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, toJson } from "@bufbuild/protobuf";
import { Code, type ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { startWireServer } from "./wire-server.ts";

const NAME = "projects/p/locations/us/apps/a/conversations/c";

const TRANSPORTS: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  gRPC: (baseUrl) => createGrpcTransport({ baseUrl }),
  "gRPC-Web": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "2" }),
  "Connect, JSON": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
};

/** Messages in lists, choices, JSON of any shape and text. */
const conversation = create(ConversationSchema, {
  name: NAME,
  turns: [
    {
      messages: [
        { role: "user", chunks: [{ data: { case: "text", value: "Hello" } }] },
        {
          role: "agent",
          chunks: [
            { data: { case: "payload", value: { cards: [{ title: "One", price: 1 }, { price: 2 }], more: true } } },
            { data: { case: "updatedVariables", value: { order: "A-1" } } },
          ],
          eventTime: { seconds: 60n },
        },
      ],
    },
    {},
  ],
});

const SELECTIONS = [
  "name",
  "turns",
  "*",
  "name,turns.messages.role",
  "turns(messages(chunks(text),event_time))",
  "turns/messages/chunks/payload",
  "turns.messages.chunks.payload.cards.title",
  "turns.messages.chunks(payload(more),updatedVariables.order)",
  "turns.*.role",
];

const selecting = (fields: string) => ({ headers: { "x-goog-fieldmask": fields } });

for (const [name, transportTo] of Object.entries(TRANSPORTS)) {
  describe(`a selection of fields over ${name} (WIRE-56)`, () => {
    it("leaves of a response what it leaves over REST, and the handler's own message as it was", async () => {
      const before = toJson(ConversationSchema, conversation);
      await using server = await startWireServer({ agents: { getConversation: async () => conversation } });
      const client = createClient(AgentService, transportTo(server.url));
      for (const fields of SELECTIONS) {
        const selected = await client.getConversation({ name: NAME }, selecting(fields));
        const response = await fetch(`${server.url}/v1beta/${NAME}`, selecting(fields));
        assert.deepEqual(toJson(ConversationSchema, selected), await response.json(), fields);
      }
      assert.deepEqual(toJson(ConversationSchema, conversation), before);
    });

    it("leaves of each response of a stream what it names", async () => {
      await using server = await startWireServer({
        sessions: {
          streamRunSession: async function* () {
            for (const turnIndex of [1, 2])
              yield { outputs: [{ outputType: { case: "text", value: "Hi" }, turnIndex, turnCompleted: true }] };
          },
        },
      });
      const client = createClient(SessionService, transportTo(server.url));
      const request = { config: { session: "s" }, inputs: [{ inputType: { case: "text" as const, value: "x" } }] };
      const seen: unknown[] = [];
      for await (const { outputs } of client.streamRunSession(request, selecting("outputs.turnIndex")))
        seen.push(
          outputs.map(({ outputType, turnIndex, turnCompleted }) => [outputType.case, turnIndex, turnCompleted]),
        );
      assert.deepEqual(seen, [[[undefined, 1, false]], [[undefined, 2, false]]]);
    });

    it("is refused before the call when it names what a response does not have", async () => {
      let calls = 0;
      await using server = await startWireServer({
        agents: {
          getConversation: async () => {
            calls += 1;
            return conversation;
          },
        },
      });
      const client = createClient(AgentService, transportTo(server.url));
      await assert.rejects(client.getConversation({ name: NAME }, selecting("name,colour")), (error: ConnectError) => {
        assert.deepEqual(
          [error.code, error.rawMessage],
          [Code.InvalidArgument, "fields: Invalid field selection colour"],
        );
        return true;
      });
      assert.equal(calls, 0);
      assert.equal(server.lines.filter(({ code }) => code === "INVALID_ARGUMENT").length, 1);
    });
  });
}

describe("a selection of fields of a bidirectional stream over gRPC (WIRE-56)", () => {
  it("leaves of each response what it names, and is refused otherwise", async () => {
    await using server = await startWireServer({
      sessions: {
        bidiRunSession: async function* () {
          const outputType = { case: "text", value: "Hi" } as const;
          yield { messageType: { case: "sessionOutput", value: { outputType, turnIndex: 7 } } };
        },
      },
    });
    const client = createClient(SessionService, createGrpcTransport({ baseUrl: server.url }));
    const talk = async (fields: string) => {
      const seen: unknown[] = [];
      const nothing = (async function* () {})();
      for await (const { messageType } of client.bidiRunSession(nothing, selecting(fields))) seen.push(messageType);
      return seen;
    };
    const [message] = (await talk("sessionOutput.turnIndex")) as [{ value: { outputType: object; turnIndex: number } }];
    assert.deepEqual([message.value.outputType, message.value.turnIndex], [{ case: undefined }, 7]);
    await assert.rejects(talk("colour"), (error: ConnectError) => error.code === Code.InvalidArgument);
  });
});
