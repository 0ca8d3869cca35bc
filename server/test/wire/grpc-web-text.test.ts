import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { GetAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { RunSessionRequestSchema, RunSessionResponseSchema } from "@frontdesk/protos/ces/session_service";
import { notFound } from "#status";
import { startWireServer } from "./wire-server.ts";

const GET_APP = "/google.cloud.ces.v1beta.AgentService/GetApp";
const STREAM = "/google.cloud.ces.v1beta.SessionService/StreamRunSession";
const getApp = (name: string) => frame(toBinary(GetAppRequestSchema, create(GetAppRequestSchema, { name })));

describe("application/grpc-web-text (WIRE-17)", () => {
  for (const type of ["application/grpc-web-text", "application/grpc-web-text+proto"]) {
    it(`serves a unary call of ${type}`, async () => {
      await using server = await startWireServer({
        agents: { getApp: async ({ name }, { protocol }) => ({ name, description: protocol }) },
      });
      const { contentType, messages, trailer } = await call(
        server.url + GET_APP,
        getApp("an app").toString("base64"),
        type,
      );
      const [app] = messages.map((bytes) => fromBinary(AppSchema, bytes));
      assert.deepEqual(
        [contentType, app?.name, app?.description, messages.length],
        ["application/grpc-web-text+proto", "an app", "grpc-web", 1],
      );
      assert.match(trailer, /^grpc-status: ?0\r\n/m);
    });
  }

  it("reads base64 in pieces of any length, padded or not", async () => {
    await using server = await startWireServer({ agents: { getApp: async ({ name }) => ({ name }) } });
    const bytes = getApp("an app with a name");
    for (let cut = 1; cut < bytes.length; cut++) {
      const body = bytes.subarray(0, cut).toString("base64") + bytes.subarray(cut).toString("base64");
      const { messages } = await call(server.url + GET_APP, inChunksOf(cut, body));
      assert.equal(fromBinary(AppSchema, messages[0] ?? new Uint8Array()).name, "an app with a name");
    }
  });

  it("streams each message when it is made", async () => {
    const goOn = Promise.withResolvers<void>();
    await using server = await startWireServer({
      sessions: {
        streamRunSession: async function* () {
          yield textOutput("one");
          await goOn.promise;
          yield textOutput("two");
        },
      },
    });
    const request = create(RunSessionRequestSchema, {
      config: { session: "s" },
      inputs: [{ inputType: { case: "text", value: "hi" } }],
    });
    const body = frame(toBinary(RunSessionRequestSchema, request)).toString("base64");
    const { messages, trailer } = await call(server.url + STREAM, body, undefined, () => goOn.resolve());
    const texts = messages.map((bytes) => fromBinary(RunSessionResponseSchema, bytes).outputs[0]?.outputType.value);
    assert.deepEqual(texts, ["one", "two"]);
    assert.match(trailer, /grpc-status: ?0/);
  });

  it("has the status of an error in its trailer", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => Promise.reject(notFound("a")) } });
    const { trailer } = await call(server.url + GET_APP, getApp("a").toString("base64"));
    assert.match(trailer, /grpc-status: ?5/);
  });

  for (const [what, body] of [
    ["is not base64", "no base64!!!"],
    ["ends within four characters", "AAAAAAB"],
  ] as const) {
    it(`refuses a body that ${what}`, async () => {
      await using server = await startWireServer({ agents: { getApp: async () => ({}) } });
      const { trailer } = await call(server.url + GET_APP, body);
      assert.match(trailer, /grpc-status: ?3/);
      assert.match(trailer, /base64/);
    });
  }
});

const textOutput = (value: string): MessageInitShape<typeof RunSessionResponseSchema> => ({
  outputs: [{ outputType: { case: "text", value } }],
});

/** A message as gRPC frames it. */
function frame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function inChunksOf(size: number, text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
  return ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
}

/** The messages and the trailer of a response, also one that has its status in its headers. `onData`: after the first bytes. */
async function call(url: string, body: string | ReadableStream, type = "application/grpc-web-text", onData = () => {}) {
  const headers = { "content-type": type, "x-grpc-web": "1" };
  // `duplex` is missing in the types of fetch; a streamed body needs it.
  const response = await fetch(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  const pieces: Buffer[] = [];
  for await (const chunk of response.body ?? []) {
    for (const piece of Buffer.from(chunk as Uint8Array)
      .toString()
      .match(/[^=]+={0,2}/g) ?? [])
      pieces.push(Buffer.from(piece, "base64"));
    onData();
  }
  const messages: Uint8Array[] = [];
  let trailer = [...response.headers].map(([name, value]) => `${name}: ${decodeURIComponent(value)}`).join("\r\n");
  for (let rest = Buffer.concat(pieces); rest.length > 0; ) {
    const end = 5 + rest.readUInt32BE(1);
    const content = rest.subarray(5, end);
    if (rest[0] === 0x80) trailer = decodeURIComponent(content.toString());
    else messages.push(content);
    rest = rest.subarray(end);
  }
  return { contentType: response.headers.get("content-type"), messages, trailer };
}
