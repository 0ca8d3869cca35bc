import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startEchoServer } from "./echo-server.ts";
import { documentOf, openApiTool, openToolBench } from "./tool-bench.ts";

/** A tool of an operation with a body of this schema, and a parameter. */
const bodyTool = (url: string, schema: object) =>
  openApiTool(
    documentOf(url, {
      "/entries": {
        post: {
          operationId: "write",
          parameters: [{ name: "dry", in: "query", schema: { type: "boolean" } }],
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: {},
        },
      },
    }),
  );

describe("a body that is a free object (PY-58)", () => {
  for (const schema of [{ type: "object", additionalProperties: true }, { type: ["object", "null"] }])
    it(`of the schema ${JSON.stringify(schema)} is the arguments that nothing else takes`, async () => {
      await using server = await startEchoServer();
      await using bench = openToolBench();
      const tool = bodyTool(server.url, schema);
      await bench.run(tool, { severity: "INFO", at: { line: 3 }, dry: true });
      assert.deepEqual(JSON.parse(server.last().body), { severity: "INFO", at: { line: 3 } });
      assert.match(server.last().url, /\/entries\?dry=true$/);
      await bench.run(tool, { body: { severity: "INFO" }, at: 3 });
      assert.deepEqual(JSON.parse(server.last().body), { severity: "INFO" });
    });

  it("is missing without arguments, and so is any other body", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const missing = /Missing parameter: body/;
    assert.match(JSON.stringify(await bench.run(bodyTool(server.url, { type: "object" }), { dry: true })), missing);
    const list = bodyTool(server.url, { type: "array", items: {} });
    assert.match(JSON.stringify(await bench.run(list, { severity: "INFO" })), missing);
  });
});
