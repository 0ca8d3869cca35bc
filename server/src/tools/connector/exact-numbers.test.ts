import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ActionSchema } from "@frontdesk/protos/ces/connector_tool";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { type JsonObject, parseJson, writeJson } from "#base";
import { openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

const CONNECTION = "projects/p/locations/europe-west1/connections/crm";
const INPUT = { type: "object", properties: { id: {}, why: {}, tags: {} } };

const actionOf = (id: string) =>
  create(ToolSchema, {
    name: `${TEST_APP}/tools/crm`,
    displayName: "crm",
    toolType: {
      case: "connectorTool",
      value: {
        connection: CONNECTION,
        action: create(ActionSchema, { actionSpec: { case: "connectionActionId", value: id } }),
      },
    },
  });

describe("A connection over plain HTTP", () => {
  it("sends and reads numbers that JavaScript cannot hold as they came (PY-42)", async () => {
    const got: string[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        got.push(`${request.method} ${request.url} ${body}`.trim());
        response.setHeader("content-type", "application/json").end('{"id":9007199254740993}');
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const actions = {
        close: { description: "Closes.", method: "POST" as const, path: "/issues/{id}:close", input: INPUT },
        find: { description: "Finds.", method: "GET" as const, path: "/search?kind=issue", input: INPUT },
      };
      await using tools = openTools({
        connectors: { http: new Map([[CONNECTION, { baseUrl, actions, entities: {} }]]) },
      });
      const args = '{"id":9007199254740993,"why":12345678901234567890,"tags":[9007199254740995]}';
      const answered = await respond(tools, actionOf("close"), parseJson(args) as JsonObject);
      assert.equal(writeJson(answered), '{"output":[{"id":9007199254740993}]}');
      await respond(tools, actionOf("find"), parseJson(args) as JsonObject);
      assert.deepEqual(got, [
        'POST /issues/9007199254740993:close {"why":12345678901234567890,"tags":[9007199254740995]}',
        "GET /search?kind=issue&id=9007199254740993&why=12345678901234567890&tags=9007199254740995",
      ]);
    } finally {
      server.close();
    }
  });
});
