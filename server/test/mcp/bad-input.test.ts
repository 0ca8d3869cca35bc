import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "#base";
import { startTestServer, type TestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";
const JSON_TYPE = { "content-type": "application/json" };

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

/** What a running server answers to bytes: status, and the JSON. */
async function post(body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = JSON_TYPE) {
  const response = await fetch(`${server.address}/mcp`, { method: "POST", headers, body });
  return { status: response.status, json: (await response.json()) as JsonObject & { readonly error?: JsonObject } };
}

const request = (method: string, params: unknown = {}, more: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params, ...more });

/** HTTP status and error code of a rejected request. */
const refused = async (...sent: Parameters<typeof post>) => {
  const { status, json } = await post(...sent);
  return [status, json.error?.code];
};

describe("an MCP endpoint", () => {
  it("rejects invalid messages with a reason", async () => {
    assert.deepEqual(await refused("{"), [400, -32700]);
    assert.deepEqual(await refused(""), [400, -32700]);
    for (const wrong of ["7", '"text"', "{}", request("ping", {}, { jsonrpc: "1.0" }), request("ping", [1])])
      assert.deepEqual(await refused(wrong), [400, -32600], wrong);
    assert.deepEqual(await refused(JSON.stringify({ jsonrpc: "2.0", id: {}, method: "ping" })), [400, -32600]);
    assert.deepEqual(await refused(request("no/such")), [200, -32601]);
    assert.deepEqual(await refused(request("ping"), { "content-type": "text/plain" }), [415, -32000]);
  });

  it("rejects bodies that are too large, in one piece, in chunks or decompressed", async () => {
    const large = new Uint8Array(33 * 1024 * 1024).fill(32);
    assert.deepEqual(await refused(large), [413, -32600]);
    const packed = { ...JSON_TYPE, "content-encoding": "gzip" };
    assert.deepEqual(await refused(new Uint8Array(gzipSync(large)), packed), [413, -32600]);
    assert.deepEqual(await refused("no gzip", packed), [400, -32600]);
  });

  it("rejects JSON that is nested too deeply", async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}}`;
    const { status, json } = await post(deep);
    assert.ok(status === 400 || json.result !== undefined, JSON.stringify(json).slice(0, 200));
  });

  it("answers each message of a batch separately, the valid ones too", async () => {
    const batch = `[${request("ping")},${request("no/such", {}, { id: 2 })},7,{"jsonrpc":"2.0","method":"notifications/x"}]`;
    const { status, json } = await post(batch);
    const answers = json as unknown as readonly (JsonObject & { readonly error?: JsonObject })[];
    assert.equal(status, 200);
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [1, undefined],
        [2, -32601],
        [null, -32600],
      ],
    );
  });

  it("names unknown tools and arguments, with the path and the expected type", async () => {
    const call = (params: unknown) => post(request("tools/call", params));
    assert.match(String((await call({ name: "drop_tables" })).json.error?.message), /^Unknown tool: "drop_tables"/);
    assert.match(String((await call({})).json.error?.message), /^Unknown tool: null/);
    const errorText = async (name: string, args: unknown) => {
      const { content, isError } = (await call({ name, arguments: args })).json.result as JsonObject;
      assert.equal(isError, true);
      return String((content as { text: string }[])[0]?.text.split("\n")[0]);
    };
    assert.match(await errorText("get_app", "text"), /arguments/);
    assert.match(await errorText("get_app", { nam: APP }), /nam.*did you mean 'name'/);
    assert.match(await errorText("get_app", { name: { deep: [] } }), /name/);
    assert.match(
      await errorText("list_apps", { parent: "projects/local/locations/us", pageSize: "many" }),
      /page_size: Invalid value .*TYPE_INT32/,
    );
  });

  it("serves other clients while some do not read their responses", async () => {
    const controller = new AbortController();
    const deaf = Array.from({ length: 20 }, () =>
      fetch(`${server.address}/mcp`, {
        method: "POST",
        headers: { ...JSON_TYPE, accept: "text/event-stream" },
        body: request("tools/list"),
        signal: controller.signal,
      }),
    );
    // Their headers have arrived; the bodies are not read.
    await Promise.all(deaf);
    assert.deepEqual((await post(request("ping"))).json.result, {});
    controller.abort();
  });
});
