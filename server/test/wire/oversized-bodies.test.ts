import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { startWireServer } from "./wire-server.ts";

const LIMIT = 1_000;
const METHOD = "/google.cloud.ces.v1beta.AgentService/GetApp";
const TEXT = JSON.stringify({ name: "a".repeat(2 * LIMIT) });
/** A gRPC frame of a GetAppRequest with such a name. */
const FRAME = Buffer.concat([Buffer.from([0, 0, 0, 7, 0xd3, 0x0a, 0xd0, 0x0f]), Buffer.alloc(2 * LIMIT, "a")]);

interface Oversized {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer> | string;
  readonly encoding?: string;
  readonly status: number;
  /** In the body, or in the headers of gRPC-Web. */
  readonly told: RegExp;
}

const REST = "/v1beta/projects/p/locations/l/apps";
const PACKED = new Uint8Array(gzipSync(TEXT));
const FRONT_END =
  /"code":413,"message":"Request payload size exceeds the limit: 1000 bytes\.","status":"INVALID_ARGUMENT"/;
const EXHAUSTED = /"code":"resource_exhausted"/;

/** What each wire with HTTP statuses answers (WIRE-15); gRPC and WebSocket have tests of their own. */
const BODIES: Readonly<Record<string, Oversized>> = {
  REST: { path: REST, type: "application/json", body: TEXT, status: 413, told: FRONT_END },
  "REST, compressed": {
    path: REST,
    type: "application/json",
    body: PACKED,
    encoding: "gzip",
    status: 413,
    told: FRONT_END,
  },
  Connect: { path: METHOD, type: "application/json", body: TEXT, status: 413, told: EXHAUSTED },
  "Connect, compressed": {
    path: METHOD,
    type: "application/json",
    body: PACKED,
    encoding: "gzip",
    status: 413,
    told: EXHAUSTED,
  },
  "Connect, binary": {
    path: METHOD,
    type: "application/proto",
    body: new Uint8Array(FRAME.subarray(5)),
    status: 413,
    told: EXHAUSTED,
  },
  MCP: {
    path: "/mcp",
    type: "application/json",
    body: TEXT,
    status: 413,
    told: /"code":-32600,"message":"Request payload size exceeds/,
  },
  "gRPC-Web": {
    path: METHOD,
    type: "application/grpc-web+proto",
    body: new Uint8Array(FRAME),
    status: 200,
    told: /grpc-status: ?8/,
  },
  "gRPC-Web, text": {
    path: METHOD,
    type: "application/grpc-web-text",
    body: FRAME.toString("base64"),
    status: 200,
    told: /grpc-status: ?8/,
  },
};

describe("a body above the limit", () => {
  for (const [wire, { path, type, body, encoding, status, told }] of Object.entries(BODIES)) {
    it(`is refused over ${wire} in its form`, async () => {
      await using server = await startWireServer({
        requests: { maxBodyBytes: LIMIT },
        agents: { getApp: async () => ({}) },
      });
      const headers = { "content-type": type, "x-grpc-web": "1", ...(encoding && { "content-encoding": encoding }) };
      const response = await fetch(server.url + path, { method: "POST", headers, body });
      const text = await response.text();
      const readable = type.includes("text") ? Buffer.from(text, "base64").toString() : text;
      const read = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n") + readable;
      assert.equal(response.status, status, read);
      assert.match(read, told);
    });
  }

  it("is one of more than 8 MiB in JSON over Connect, whatever the limit is, and not one in protobuf", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({}) } });
    const send = async (type: string, body: Uint8Array<ArrayBuffer> | string) =>
      (await fetch(server.url + METHOD, { method: "POST", headers: { "content-type": type }, body })).status;
    const name = "a".repeat(9 * 1024 * 1024);
    assert.equal(await send("application/json", JSON.stringify({ name })), 413);
    const length = Buffer.from([0x0a, 0x80, 0x80, 0xc0, 0x04]);
    // It was read: what is wrong is the name.
    assert.equal(await send("application/proto", new Uint8Array(Buffer.concat([length, Buffer.from(name)]))), 400);
  });
});
