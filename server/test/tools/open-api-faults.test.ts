import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definedFields, nonEmptyFields } from "#base";
import { startEchoServer } from "./echo-server.ts";
import { documentOf, openApiTool, openApiToolset, openToolBench } from "./tool-bench.ts";

describe("the server of an OpenAPI document", () => {
  it("may have variables, be set in the operation, or replace $env_var", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const paths = (servers?: object) => ({
      "/x": { get: { operationId: "x", responses: {}, ...definedFields({ servers }) } },
    });
    const variables = { version: { default: "v2" }, port: { default: String(server.port) } };
    const servers = [{ url: "http://127.0.0.1:{port}/{version}/", variables }];
    await bench.run(openApiTool(documentOf("", paths(), { servers })), {});
    assert.equal(server.last().url, "/v2/x");
    await bench.run(openApiTool(documentOf("https://unused.example", paths(servers))), {});
    assert.equal(server.last().url, "/v2/x");
    await bench.run(openApiTool(documentOf("$env_var", paths()), { url: `${server.url}/stage` }), {});
    assert.equal(server.last().url, "/stage/x");
    assert.deepEqual((await bench.run(openApiTool(documentOf("$env_var", paths())), {})).response, {
      status: "error",
      error: "Tool 'one' cannot be called: its server is $env_var and 'url' is not set.",
    });
  });
});

describe("a faulty OpenAPI document", () => {
  const problems = (document: object | string) => openToolBench().tools.problems(openApiToolset(document));
  const operation = (operationId?: string, more: object = {}) => ({
    ...nonEmptyFields({ operationId }),
    responses: {},
    ...more,
  });

  it("is reported with what is wrong and where", async () => {
    assert.deepEqual(await problems("paths: [\n  a: b"), [
      "open_api_schema: the schema is neither JSON nor YAML (line 2, column 7): Flow sequence in block collection must be sufficiently indented and end with a ]",
    ]);
    assert.deepEqual(await problems({ swagger: "1.2", paths: {} }), [
      "open_api_schema: the schema is Swagger 1.2; convert it to OpenAPI 3.0 or 3.1",
    ]);
    assert.deepEqual(
      await problems(
        documentOf("https://shop.example", {
          "/a": { get: operation("a"), post: operation() },
          "/b": {
            get: operation("a", { parameters: [{ $ref: "https://evil.example/p.yaml" }, { $ref: "#/components/x" }] }),
          },
        }),
      ),
      [
        "open_api_schema: POST /a has no operationId, so it is not offered",
        "open_api_schema: GET /b has the operationId 'a' of GET /a, so it is not offered",
        "open_api_schema: the $ref 'https://evil.example/p.yaml' points to another document, which is not fetched; copy its target into this one",
        "open_api_schema: the $ref '#/components/x' points to nothing in the document",
      ],
    );
  });

  it("with recursive references, even a million, is declared within the limits", async () => {
    await using bench = openToolBench();
    const width = 300;
    const schemas = Object.fromEntries(
      Array.from({ length: width }, (_, at) => [
        `S${at}`,
        {
          properties: Object.fromEntries(
            Array.from({ length: width }, (_, to) => [`p${to}`, { $ref: `#/components/schemas/S${to}` }]),
          ),
        },
      ]),
    );
    const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } } };
    const document = documentOf(
      "https://shop.example",
      { "/a": { post: operation("a", { requestBody: body }) } },
      { components: { schemas } },
    );
    const declared = await bench.tools.declare(await bench.member(openApiToolset(document), "a"));
    assert.ok(JSON.stringify(declared.parameters).length < 100_000);
    const loop = { components: { parameters: { A: { $ref: "#/components/parameters/A" } } } };
    const looped = documentOf(
      "https://shop.example",
      { "/a": { get: operation("a", { parameters: [{ $ref: "#/components/parameters/A" }] }) } },
      loop,
    );
    assert.deepEqual((await bench.tools.declare(openApiTool(looped))).parameters, { type: "object", properties: {} });
  });

  it("with exploding aliases is rejected", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(",")}]`,
    );
    const [problem = ""] = await problems(`a0: &a0 [x]\n${levels.join("\n")}\nopenapi: 3.1.0\npaths: {}`);
    assert.match(problem, /^open_api_schema: the schema is neither JSON nor YAML: Excessive alias count/);
  });
});
