import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { startTestServer, type TestServer } from "#testing";
import { APP, type ErrorAnswer, json, post } from "./rest-requests.ts";

const PARENT = APP.replace(/\/apps\/.*/, "");
const NAME = `${PARENT}/apps/the-shop`;
const STORED = { order_id: "kept", orderId: "old", Team: "red", "a.b": "dotted" };

let server: TestServer;
before(async () => {
  server = await startTestServer();
  const created = await json(`${server.address}/v1beta/${PARENT}/apps?appId=the-shop`, post({ displayName: "Shop" }));
  assert.equal(created.status, 200);
});
after(() => server[Symbol.asyncDispose]());

type Metadata = Readonly<Record<string, string>>;
type Updated = { readonly metadata: Metadata } & ErrorAnswer;

const patch = (mask: string, metadata: Metadata) =>
  json<Updated>(`${server.address}/v1beta/${NAME}?updateMask=${encodeURIComponent(mask)}`, {
    ...post({ metadata }),
    method: "PATCH",
  });

/** An update over each wire, by the text of its mask. */
const WIRES: Readonly<Record<string, (mask: string, metadata: Metadata) => Promise<unknown>>> = {
  REST: patch,
  "Connect, JSON": (updateMask, metadata) =>
    json(
      `${server.address}/google.cloud.ces.v1beta.AgentService/UpdateApp`,
      post({ app: { name: NAME, metadata }, updateMask }),
    ),
  MCP: (updateMask, metadata) =>
    json(
      `${server.address}/mcp`,
      post({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "update_app", arguments: { app: { name: NAME, metadata }, updateMask } },
      }),
    ),
  gRPC: (mask, metadata) =>
    createClient(AgentService, createGrpcTransport({ baseUrl: server.address })).updateApp({
      app: { name: NAME, metadata },
      updateMask: { paths: [mask] },
    }),
};

describe("an update mask", () => {
  for (const [wire, update] of Object.entries(WIRES)) {
    for (const [mask, key] of [
      ["metadata.orderId", "orderId"],
      ["metadata.order_id", "order_id"],
      ["metadata.`orderId`", "orderId"],
      ["metadata.Team", "Team"],
      ["metadata.newKey", "newKey"],
      ["metadata.`a.b`", "a.b"],
      ["metadata.`x,y`", "x,y"],
    ] as const) {
      it(`changes the entry of a map that it names, and no other: ${mask} over ${wire}`, async () => {
        await patch("metadata", STORED);
        await update(mask, { [key]: "new" });
        const { body } = await json<Updated>(`${server.address}/v1beta/${NAME}`);
        assert.deepEqual(body.metadata, { ...STORED, [key]: "new" });
      });
    }
  }

  it("of a client that writes it as proto3 JSON does, in camelCase throughout, names the key that the body has", async () => {
    await patch("metadata", STORED);
    const transport = { baseUrl: server.address, httpVersion: "1.1", useBinaryFormat: false } as const;
    const client = createClient(AgentService, createConnectTransport(transport));
    const { metadata } = await client.updateApp({
      app: { name: NAME, metadata: { order_id: "new" } },
      updateMask: { paths: ["metadata.order_id"] },
    });
    assert.deepEqual(metadata, { ...STORED, order_id: "new" });
  });

  it("in camelCase of an entry to remove is refused, because it may mean either of two keys; backticks say which", async () => {
    await patch("metadata", STORED);
    const { status, body } = await patch("metadata.orderId", {});
    assert.equal(status, 400);
    assert.match(body.error.message, /'metadata\.orderId' means the key 'orderId' or 'order_id'/);
    const { orderId: _removed, ...left } = STORED;
    assert.deepEqual((await patch("metadata.`orderId`", {})).body.metadata, left);
  });

  for (const [mask, problem] of [
    ["metadata.", "'metadata.' has an empty segment."],
    [".metadata", "'.metadata' has an empty segment."],
    ["metadata..a", "'metadata..a' has an empty segment."],
    ["displayName,", "An empty path names no field."],
    ["metadata.`a", "'metadata.`a' has a backtick that is not closed; two of them mean one in a quoted key."],
    ["DisplayName", "'DisplayName' is not a field path of App: there is no 'DisplayName' in App."],
    ['metadata["orderId"]', "there is no 'metadata[\"orderId\"]' in App."],
  ] as const) {
    it(`is refused with what was sent: ${mask}`, async () => {
      const { status, body } = await patch(mask, { x: "1" });
      assert.equal(status, 400);
      assert.ok(body.error.message.endsWith(problem), body.error.message);
      assert.equal(body.error.details?.[0]?.fieldViolations?.[0]?.field, "update_mask");
    });
  }

  it("is the union of what several parameters have", async () => {
    await patch("metadata", STORED);
    const url = `${server.address}/v1beta/${NAME}?updateMask=displayName&update_mask=metadata.Team&updateMask=description`;
    const change = { displayName: "New", description: "Described", metadata: { Team: "blue", other: "no" } };
    const { body } = await json<Record<string, unknown>>(url, { ...post(change), method: "PATCH" });
    assert.deepEqual(
      [body.displayName, body.description, body.metadata],
      ["New", "Described", { ...STORED, Team: "blue" }],
    );
  });

  it("is refused in a body that has it twice", async () => {
    const path = "/google.cloud.ces.v1beta.AgentService/UpdateApp";
    const request = { app: { name: NAME }, updateMask: "displayName", update_mask: "description" };
    const { status, body } = await json<{ message: string }>(server.address + path, post(request));
    assert.equal(status, 400);
    assert.match(body.message, /'update_mask' is set twice, as "updateMask" and as "update_mask"/);
  });

  it("names labels of data agents as they are", async () => {
    const { address } = server;
    const agents = `${address}/v1beta/${PARENT}/dataAgents`;
    const labels = { team_name: "kept", teamName: "old" };
    const created = await json(`${agents}:createSync?dataAgentId=labelled`, post({ displayName: "A", labels }));
    assert.equal(created.status, 200, JSON.stringify(created.body));
    const updated = await json<{ labels: Metadata }>(`${agents}/labelled:updateSync?updateMask=labels.teamName`, {
      ...post({ labels: { teamName: "new" } }),
      method: "PATCH",
    });
    assert.equal(updated.status, 200, JSON.stringify(updated.body));
    assert.deepEqual(updated.body.labels, { team_name: "kept", teamName: "new" });
  });
});

describe("the fields parameter", () => {
  it("selects the entries of maps that it names, and refuses names that the response does not have", async () => {
    await patch("metadata", STORED);
    const select = (fields: string) => json<Updated>(`${server.address}/v1beta/${NAME}?fields=${fields}`);
    assert.deepEqual((await select("metadata/order_id")).body, { metadata: { order_id: "kept" } });
    assert.deepEqual((await select("metadata(orderId)&fields=display_name")).body, {
      displayName: "New",
      metadata: { orderId: "old" },
    });
    const { status, body } = await select("nope");
    assert.deepEqual([status, body.error.message], [400, "fields: Invalid field selection nope"]);
  });
});
