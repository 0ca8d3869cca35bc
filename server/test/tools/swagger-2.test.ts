import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stringify } from "yaml";
import type { JsonObject } from "#base";
import { startEchoServer } from "./echo-server.ts";
import { openApiTool, openApiToolset, openToolBench } from "./tool-bench.ts";

/** As the cluster API, chat APIs and older frameworks describe themselves. */
const DOCUMENT = (port: number): JsonObject => ({
  swagger: "2.0",
  info: { title: "Cluster", version: "v1" },
  host: `127.0.0.1:${port}`,
  basePath: "/apis/v1",
  schemes: ["http"],
  consumes: ["application/json"],
  produces: ["application/json"],
  parameters: { limit: { name: "limit", in: "query", type: "integer", description: "How many." } },
  responses: { pods: { description: "Pods", schema: { type: "array", items: { $ref: "#/definitions/Pod" } } } },
  definitions: {
    Pod: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        node: { type: "string", "x-nullable": true },
        owner: { $ref: "#/definitions/Pod" },
      },
    },
  },
  paths: {
    "/namespaces/{namespace}/pods": {
      parameters: [{ name: "namespace", in: "path", required: true, type: "string" }],
      get: {
        operationId: "listPods",
        parameters: [
          { $ref: "#/parameters/limit" },
          { name: "labels", in: "query", type: "array", items: { type: "string" } },
          { name: "phase", in: "query", type: "array", items: { type: "string" }, collectionFormat: "multi" },
          { name: "nodes", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
        ],
        responses: { 200: { $ref: "#/responses/pods" } },
      },
      post: {
        operationId: "createPod",
        parameters: [{ name: "pod", in: "body", required: true, schema: { $ref: "#/definitions/Pod" } }],
        responses: { 201: { description: "Created", schema: { $ref: "#/definitions/Pod" } } },
      },
    },
    "/files": {
      post: {
        operationId: "upload",
        consumes: ["multipart/form-data"],
        parameters: [
          { name: "file", in: "formData", type: "file", required: true },
          { name: "channels", in: "formData", type: "array", items: { type: "string" } },
        ],
        responses: { 204: { description: "Done" } },
      },
    },
    "/chat.postMessage": {
      post: {
        operationId: "say",
        consumes: ["application/x-www-form-urlencoded"],
        parameters: [
          { name: "token", in: "header", type: "string" },
          { name: "text", in: "formData", type: "string", required: true, description: "What to say." },
          { name: "users", in: "formData", type: "array", items: { type: "string" } },
        ],
        responses: { 200: { description: "Said", schema: { type: "object" } } },
      },
    },
  },
});

describe("a document of Swagger 2.0", () => {
  it("is a toolset like one of OpenAPI 3.0, in JSON and in YAML", async () => {
    await using bench = openToolBench();
    const document = DOCUMENT(80);
    for (const text of [JSON.stringify(document), stringify(document), stringify({ ...document, swagger: 2 })]) {
      const toolset = openApiToolset(text);
      assert.deepEqual(await bench.tools.problems(toolset), []);
      const { parameters, response } = await bench.tools.declare(await bench.member(toolset, "createPod"));
      assert.deepEqual(Object.keys(parameters.properties ?? {}), ["namespace", "name", "node", "owner"]);
      assert.deepEqual(parameters.required, ["namespace", "name"]);
      assert.deepEqual(Object.keys((response as { properties: object }).properties), ["name", "node", "owner"]);
      const listed = await bench.tools.declare(await bench.member(toolset, "listPods"));
      assert.deepEqual((listed.parameters.properties as JsonObject).limit, {
        type: "integer",
        description: "How many.",
      });
    }
  });

  it("sends parameters, bodies and forms as it says", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const toolset = openApiToolset(DOCUMENT(server.port));
    const send = async (id: string, args: JsonObject) => {
      await bench.run(await bench.member(toolset, id), args);
      return server.last();
    };
    const two = ["a", "b c"];
    const listed = await send("listPods", { namespace: "shop", limit: 5, labels: two, phase: two, nodes: two });
    assert.equal(
      listed.url,
      "/apis/v1/namespaces/shop/pods?limit=5&labels=a,b%20c&phase=a&phase=b%20c&nodes=a%7Cb%20c",
    );
    assert.equal(listed.headers.accept, "application/json");
    const created = await send("createPod", { namespace: "shop", name: "p", node: null });
    assert.deepEqual([created.headers["content-type"], created.body], ["application/json", '{"name":"p","node":null}']);
    const said = await send("say", { text: "a&b", users: two, token: "t" });
    assert.deepEqual(
      [said.url, said.headers["content-type"], said.headers.token, said.body],
      ["/apis/v1/chat.postMessage", "application/x-www-form-urlencoded", "t", "text=a%26b&users=a,b%20c"],
    );
    const uploaded = await send("upload", { file: "content", channels: ["x"] });
    assert.match(uploaded.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/);
    assert.match(uploaded.body, /name="file"[\s\S]*content[\s\S]*name="channels"[\s\S]*x/);
  });

  it("without a host is relative to 'url', and what its references lack is reported", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const get = { operationId: "x", parameters: [{ $ref: "#/parameters/none" }], responses: {} };
    const document = { swagger: "2.0", info: {}, basePath: "/v1", paths: { "/x": { get } } };
    await bench.run(openApiTool(document, { url: server.url }), {});
    assert.equal(server.last().url, "/v1/x");
    assert.deepEqual(await bench.tools.problems(openApiTool(document, { url: server.url })), [
      "open_api_schema: the $ref '#/parameters/none' points to nothing in the document",
    ]);
  });
});
