import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as later } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { ScriptedModel, say, type TestServer } from "#testing";
import { callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

/** Every order with every order, fourteen times over: more rows than an hour is enough for. */
const ENDLESS = `SELECT count(*) FROM ${Array.from({ length: 14 }, (_, at) => `acme.sales.orders o${at}`).join(", ")} WHERE o0.amount + o13.amount < 0`;

const plan = (sql: string) => say(JSON.stringify({ kind: "query", name: "endless", sql }));

/** A server with an agent and a conversation, whose model plans a query without an end, and then a reply. */
async function startEndless() {
  const model = new ScriptedModel(plan(ENDLESS), say(JSON.stringify({ kind: "reply", text: "Still here." })));
  const server = await startDataServer({ model });
  const agent = `${LOCATION}/dataAgents/orders`;
  const body = { dataAnalyticsAgent: { publishedContext: { datasourceReferences: ORDERS_REFERENCE } } };
  await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=orders`, body);
  const made = await callRest(server, "POST", `/v1beta/${LOCATION}/conversations`, { agents: [agent] });
  const conversation: string = made.json.name;
  return { server, conversation, reference: { conversation, dataAgentContext: { dataAgent: agent } } };
}

/** Texts of what is stored, oldest first, once the last of them is an error. */
async function storedUntilError(server: TestServer, conversation: string): Promise<readonly string[]> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const { json } = await callRest(server, "GET", `/v1beta/${conversation}/messages?pageSize=100`);
    const [last] = json.messages;
    if (last.message.systemMessage?.error) {
      return json.messages
        .map(({ message }: { message: Record<string, Record<string, object>> }) =>
          Object.keys(message.systemMessage ?? message.userMessage ?? {}).find((key) => key !== "groupId"),
        )
        .reverse();
    }
    await later(25);
  }
  throw new Error("the query was not cancelled within a minute");
}

const EXPECTED = ["text", "schema", "schema", "text", "text", "data", "data", "error"];

describe("a client that leaves while a query without an end runs", () => {
  it("over REST has it cancelled in the engine, and finds the conversation whole", async () => {
    const { server, conversation, reference } = await startEndless();
    await using _ = server;
    const aborter = new AbortController();
    const response = await fetch(`${server.address}/v1beta/${LOCATION}:chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ userMessage: { text: "endless" } }], conversationReference: reference }),
      signal: aborter.signal,
    });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("generatedSql")) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    aborter.abort();
    assert.deepEqual(await storedUntilError(server, conversation), EXPECTED);
    const body = { messages: [{ userMessage: { text: "are you there?" } }], conversationReference: reference };
    const next = await callRest(server, "POST", `/v1beta/${LOCATION}:chat`, body);
    assert.match(JSON.stringify(next.json), /Still here\./);
  });

  it("over gRPC by its deadline likewise", async () => {
    const { server, conversation, reference } = await startEndless();
    await using _ = server;
    const client = createClient(DataChatService, createGrpcTransport({ baseUrl: server.address }));
    const request = {
      parent: LOCATION,
      messages: [{ kind: { case: "userMessage", value: { kind: { case: "text", value: "endless" } } } }],
      contextProvider: { case: "conversationReference", value: reference },
    } as const;
    const seen: (string | undefined)[] = [];
    await assert.rejects(async () => {
      for await (const message of client.chat({ ...request, messages: [...request.messages] }, { timeoutMs: 6_000 }))
        seen.push(message.kind.case);
    }, /deadline_exceeded/);
    assert.ok(seen.length > 0);
    assert.deepEqual(await storedUntilError(server, conversation), EXPECTED);
  });
});
