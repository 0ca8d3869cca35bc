import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { createRegistry, fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { RunSessionRequestSchema, SessionService } from "@frontdesk/protos/ces/session_service";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { hasTooManyJsonValues } from "../../src/protocols/json/max-values.ts";
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

describe("a field mask", () => {
  const UPDATE = "/google.cloud.ces.v1beta.AgentService/UpdateAgent";
  const agent = { name: "projects/p/locations/us/apps/a/agents/one" };
  const send = (request: JsonObject) => post({ type: "application/json", path: UPDATE, body: json(request) });

  it("has its paths counted as values in JSON, as in protobuf, however its name is written (WIRE-23)", async () => {
    for (const name of ["updateMask", "update_mask", "update\\u004dask"]) {
      const body = `{"agent":{"name":"x"},"${name}":"${",".repeat(2_000_000)}"}`;
      const answer = await post({ type: "application/json", path: UPDATE, body: Buffer.from(body) });
      assert.match(answer, /has more than 50000 values/, name);
    }
    const commas = ",".repeat(2_000_000);
    assert.doesNotMatch(await send({ agent, updateMask: commas.slice(0, 40_000) }), /more than/);
    assert.doesNotMatch(await send({ agent: { ...agent, description: commas } }), /more than/);
  });

  it("is a field whose commas are counted, in every message of both APIs", () => {
    const services = [AgentService, EvaluationService, SessionService, ToolService, WidgetService];
    const files = [...services, DataAgentService, DataChatService].map(({ file }) => file);
    const messages = [...createRegistry(...files)].filter((type) => type.kind === "message");
    const masks = messages.flatMap(({ fields }) =>
      fields.filter(({ message }) => message?.typeName === FieldMaskSchema.typeName),
    );
    const many = `"${",".repeat(200_000)}"`;
    for (const { name, jsonName } of masks) {
      for (const key of [name, jsonName])
        assert.equal(hasTooManyJsonValues(Buffer.from(`{"a":{"${key}" : ${many}}}`)), true, key);
    }
    assert.equal(masks.length > 5, true);
  });
});

describe("a message with very many wrong values", () => {
  it("is told of a thousand of them, and that there may be more (WIRE-26)", async () => {
    const inputs = Array.from({ length: 1_500 }, () => ({ text: 1 }));
    const path = `/v1beta/${SESSION}:runSession`;
    const { error } = JSON.parse(await post({ type: "application/json", path, body: json({ config, inputs }) }));
    const [{ fieldViolations }] = error.details;
    assert.equal(fieldViolations.length, 1_000);
    assert.equal(fieldViolations.at(-2).field, "inputs[998].text");
    assert.match(fieldViolations.at(-1).description, /There may be more/);
  });
});

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
        assert.match(await post(body), /has more than 50000 values/);
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
