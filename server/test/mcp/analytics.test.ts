import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { ask, callTool } from "./client.ts";

const PARENT = "projects/local/locations/global";
const ANALYTICS = { path: "/mcp/analytics" };

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

const use = async (name: string, args: JsonObject): Promise<JsonObject> => {
  const { result } = await callTool(server.address, name, args, ANALYTICS);
  assert.notEqual(result.isError, true, JSON.stringify(result));
  return result.structuredContent as JsonObject;
};

describe("data agents over MCP", () => {
  it("are created, read, updated with a mask, and deleted, without operations", async () => {
    const dataAgent = {
      displayName: "Sales",
      dataAnalyticsAgent: { publishedContext: { systemInstruction: "Be exact." } },
    };
    const made = await use("create_data_agent", { parent: PARENT, dataAgentId: "sales-desk", dataAgent });
    assert.equal(made.displayName, "Sales");
    const name = made.name ?? "";
    const { result } = await callTool(
      server.address,
      "update_data_agent",
      { dataAgent: { name, displayName: "Shop" } },
      ANALYTICS,
    );
    assert.match(result.content?.[0]?.text ?? "", /Send "updateMask": "displayName"/);
    const changed = await use("update_data_agent", {
      dataAgent: { name, displayName: "Shop" },
      updateMask: "displayName",
    });
    assert.equal(changed.displayName, "Shop");
    assert.deepEqual((await use("get_data_agent", { name })).displayName, "Shop");
    await use("delete_data_agent", { name });
  });

  it("are not changed by a dry run", async () => {
    const dataAgent = { displayName: "Ghost" };
    const dry = { path: "/mcp/analytics?dryRun=1" };
    await callTool(server.address, "create_data_agent", { parent: PARENT, dataAgentId: "ghost-desk", dataAgent }, dry);
    const { result } = await callTool(
      server.address,
      "get_data_agent",
      { name: `${PARENT}/dataAgents/ghost-desk` },
      ANALYTICS,
    );
    assert.equal(result.isError, true);
  });

  it("answer a question with one result, and report progress", async () => {
    const headers = { accept: "application/json, text/event-stream" };
    const messages = [{ userMessage: { text: "How many orders are there?" } }];
    const dataAgentContext = { dataAgent: "projects/local/locations/us/dataAgents/shop" };
    const args = { parent: "projects/local/locations/us", messages, dataAgentContext };
    const sending = { ...ANALYTICS, headers, meta: { progressToken: "q" } };
    const { result, notices } = await callTool(server.address, "chat", args, sending);
    const answered = (result.structuredContent as { messages: JsonObject[] }).messages;
    // The sample shop goes on until yesterday, so the number is another one each day.
    const [row] = rowsOf(answered);
    const orders = Number(Object.values(row ?? {})[0]);
    assert.ok(orders > 10_000, JSON.stringify(answered));
    assert.equal(notices.length, answered.length);
    const text = result.content?.[1]?.text ?? "";
    assert.ok(text.includes(`Number of orders: **${orders.toLocaleString("en-US")}**`), text);
    assert.doesNotMatch(text, /Planning the query/);
  });

  it("have neither resources nor prompts", async () => {
    assert.equal((await ask(server.address, "prompts/list", {}, ANALYTICS)).error?.code, -32601);
  });
});

/** The rows of the result among the messages of a chat. */
function rowsOf(messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.flatMap(({ systemMessage }) => {
    const { data } = systemMessage as { data?: { result?: { data?: JsonObject[] } } };
    return data?.result?.data ?? [];
  });
}
