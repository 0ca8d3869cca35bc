import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { RunSessionRequestSchema } from "@frontdesk/protos/ces/session_service";
import { startWireServer, type WireServer } from "./wire-server.ts";

let server: WireServer;
before(async () => {
  server = await startWireServer({
    sessions: { runSession: async ({ inputs }) => ({ outputs: [{ turnIndex: inputs.length }] }) },
  });
});
after(() => server[Symbol.asyncDispose]());

const RPC = "/google.cloud.ces.v1beta.SessionService/RunSession";
const SESSION = "projects/p/locations/us/apps/a/sessions/s";
const config = { session: SESSION };

interface Body {
  readonly type: string;
  readonly body: Uint8Array;
  /** Default: the RPC's. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (request: JsonObject) => Buffer.from(JSON.stringify(request));
const framed = (message: Uint8Array, flag = 0) => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

/** The same request in each format. */
function bodiesOf(request: JsonObject): Readonly<Record<string, Body>> {
  const message = toBinary(RunSessionRequestSchema, fromJson(RunSessionRequestSchema, request));
  return {
    REST: { type: "application/json", path: `/v1beta/${SESSION}:runSession`, body: json(request) },
    "Connect, JSON": { type: "application/json", body: json(request) },
    "Connect, protobuf": { type: "application/proto", body: message },
    "Connect, compressed": {
      type: "application/proto",
      body: gzipSync(message),
      headers: { "content-encoding": "gzip" },
    },
    "gRPC-Web": { type: "application/grpc-web+proto", body: framed(message) },
    "gRPC-Web, compressed": {
      type: "application/grpc-web+proto",
      body: framed(gzipSync(message), 1),
      headers: { "grpc-encoding": "gzip" },
    },
    "gRPC-Web, base64": {
      type: "application/grpc-web-text",
      body: Buffer.from(framed(message).toString("base64")),
    },
  };
}

async function post({ type, path = RPC, body, headers = {} }: Body) {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body: new Uint8Array(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = type.endsWith("-text") ? Buffer.from(bytes.toString(), "base64").toString() : bytes.toString();
  return `${text}${response.headers.get("grpc-message") ?? ""}`.replaceAll("%20", " ");
}

describe("a message with very many values (WIRE-23)", () => {
  const text = (length: number) => ({ text: "a".repeat(length) });
  const many: readonly (readonly [what: string, request: JsonObject])[] = [
    ["inputs", { config, inputs: Array.from({ length: 60_000 }, () => text(1)) }],
    ["values of a variable", { config, inputs: [{ variables: { rows: Array.from({ length: 110_000 }, () => 0) } }] }],
    ["names of variables", { config, inputs: [{ variables: Object.fromEntries(names(110_000)) }] }],
  ];
  for (const [what, request] of many) {
    for (const [format, body] of Object.entries(bodiesOf(request))) {
      it(`is refused over ${format}: ${what}`, async () => {
        assert.match(await post(body), /has more than 100000 values/);
      });
    }
  }

  for (const [format, body] of Object.entries(bodiesOf({ config, inputs: [text(3_000_000)] }))) {
    it(`is not one that has a long text, over ${format}`, async () => {
      assert.doesNotMatch(await post(body), /more than/);
    });
  }
});

function names(count: number): [string, number][] {
  return Array.from({ length: count }, (_, at) => [`n${at}`, at]);
}
