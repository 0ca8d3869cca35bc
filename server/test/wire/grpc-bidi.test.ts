import assert from "node:assert/strict";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  BidiSessionClientMessageSchema,
  BidiSessionServerMessageSchema,
  type SessionService,
} from "@frontdesk/protos/ces/session_service";
import { BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import { status } from "@grpc/grpc-js";
import type { ServiceImplementation } from "#rpc";
import { invalidArgument } from "#status";
import { startWireServer, type WireServer, type WireServerOptions } from "./wire-server.ts";

type Bidi = NonNullable<ServiceImplementation<typeof SessionService>["bidiRunSession"]>;

const PATH = "/google.cloud.ces.v1.SessionService/BidiRunSession";

const output = (value: string) => ({
  messageType: { case: "sessionOutput" as const, value: { outputType: { case: "text" as const, value } } },
});

/** Echoes each input. */
const echo: Bidi = async function* (messages, { revision, protocol }) {
  for await (const { messageType } of messages)
    if (messageType.case === "realtimeInput")
      yield output(`${revision} ${protocol} ${messageType.value.inputType.value}`);
};

const serve = (bidiRunSession: Bidi, options: WireServerOptions = {}) =>
  startWireServer({ ...options, sessions: { bidiRunSession } });

const said = (value: string): Buffer =>
  Buffer.from(
    toBinary(
      BidiSessionClientMessageSchema,
      create(BidiSessionClientMessageSchema, {
        messageType: { case: "realtimeInput", value: { inputType: { case: "text", value } } },
      }),
    ),
  );

/** A message in its five bytes. */
function frame(payload: Buffer, packed = 0): Buffer {
  const head = Buffer.from([packed, 0, 0, 0, 0]);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

interface Answer {
  readonly texts: readonly string[];
  readonly trailers: IncomingHttpHeaders;
}

/** Sends chunks over a bare HTTP/2 stream, and half-closes; answers the texts and the trailers. */
function exchange(
  { url }: WireServer,
  chunks: readonly Buffer[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const session = connect(url);
  const fixed = { ":method": "POST", ":path": PATH, "content-type": "application/grpc", te: "trailers" };
  const stream = session.request({ ...fixed, ...headers });
  const body: Buffer[] = [];
  let trailers: IncomingHttpHeaders = {};
  stream.on("data", (chunk: Buffer) => body.push(chunk));
  stream.on("trailers", (received) => {
    trailers = received;
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.once("close", () => {
      session.close();
      resolve({ texts: textsIn(Buffer.concat(body)), trailers });
    });
  });
}

function textsIn(body: Buffer): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    const { messageType } = fromBinary(BidiSessionServerMessageSchema, body.subarray(at + 5, end));
    texts.push(messageType.case === "sessionOutput" ? `${messageType.value.outputType.value}` : "");
    at = end;
  }
  return texts;
}

describe("a bidirectional call over gRPC", () => {
  it("reads messages however they are split, and ends with status 0", async () => {
    await using server = await serve(echo);
    const bytes = Buffer.concat([frame(said("one")), frame(said("two")), frame(said("größe"))]);
    for (const size of [1, 4, 7, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const { texts, trailers } = await exchange(server, chunks);
      assert.deepEqual(texts, ["v1 grpc one", "v1 grpc two", "v1 grpc größe"]);
      assert.equal(trailers["grpc-status"], "0");
    }
  });

  it("reads compressed messages among others", async () => {
    await using server = await serve(echo);
    const chunks = [frame(gzipSync(said("packed")), 1), frame(said("plain"))];
    const { texts } = await exchange(server, chunks, { "grpc-encoding": "gzip" });
    assert.deepEqual(texts, ["v1 grpc packed", "v1 grpc plain"]);
  });

  it("sends an error with its details after earlier messages", async () => {
    await using server = await serve(async function* () {
      yield output("so far so good");
      throw invalidArgument({ field: "größe", description: "is 50% too large" });
    });
    const { texts, trailers } = await exchange(server, []);
    assert.deepEqual(texts, ["so far so good"]);
    assert.equal(trailers["grpc-status"], String(status.INVALID_ARGUMENT));
    assert.equal(decodeURI(String(trailers["grpc-message"])), "größe: is 50% too large");
    const { details } = fromBinary(StatusSchema, Buffer.from(String(trailers["grpc-status-details-bin"]), "base64"));
    const [detail] = details;
    assert.equal(detail && anyUnpack(detail, BadRequestSchema)?.fieldViolations[0]?.field, "größe");
  });

  const BAD: Readonly<Record<string, readonly [readonly Buffer[], Readonly<Record<string, string>>, status]>> = {
    "a message that is no protobuf": [[frame(Buffer.from([0x0a, 0xff]))], {}, status.INVALID_ARGUMENT],
    "a message that is cut off": [[frame(said("one")).subarray(0, 8)], {}, status.INVALID_ARGUMENT],
    "a message that is larger than the limit": [[frame(Buffer.alloc(2_000))], {}, status.RESOURCE_EXHAUSTED],
    "a message that unpacks to more than the limit": [
      [frame(gzipSync(Buffer.alloc(2_000)), 1)],
      { "grpc-encoding": "gzip" },
      status.RESOURCE_EXHAUSTED,
    ],
    "a message that does not unpack": [[frame(said("one"), 1)], { "grpc-encoding": "gzip" }, status.INVALID_ARGUMENT],
    "an encoding that is not known": [[frame(said("one"), 1)], { "grpc-encoding": "snappy" }, status.UNIMPLEMENTED],
    "a deadline that is none": [[], { "grpc-timeout": "soon" }, status.INVALID_ARGUMENT],
    "a deadline that passes": [[], { "grpc-timeout": "20m" }, status.DEADLINE_EXCEEDED],
  };
  for (const [what, [chunks, headers, code]] of Object.entries(BAD)) {
    it(`is rejected for ${what}, with one line in the log`, async () => {
      const waits: Bidi = async function* (messages, { signal }) {
        for await (const _message of messages) yield output("received");
        if (headers["grpc-timeout"]) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      };
      await using server = await serve(waits, { requests: { maxBodyBytes: 1_000 } });
      const { trailers } = await exchange(server, chunks, headers);
      assert.equal(trailers["grpc-status"], String(code), String(trailers["grpc-message"]));
      assert.deepEqual(
        server.lines.map((line) => line.code),
        [status[code]],
      );
    });
  }

  it("is cancelled with its stream", async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await serve(async function* (_messages, { signal }) {
      signal.addEventListener("abort", () => gone.resolve());
      yield output("hello");
      await gone.promise;
    });
    const session = connect(server.url);
    const stream = session.request({ ":method": "POST", ":path": PATH, "content-type": "application/grpc" });
    await new Promise((resolve) => stream.once("data", resolve));
    stream.close(8); // CANCEL
    await gone.promise;
    session.close();
  });

  it("produces no more than a slow reader reads", async () => {
    let made = 0;
    await using server = await serve(async function* () {
      for (; made < 64; made++) yield output("a".repeat(64 * 1024));
    });
    const session = connect(server.url);
    const stream = session.request({ ":method": "POST", ":path": PATH, "content-type": "application/grpc" });
    await new Promise((resolve) => stream.once("response", resolve));
    let before = -1;
    while (made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(made < 64, `${made} messages were made for a client that reads none`);
    stream.resume();
    await new Promise((resolve) => stream.once("end", resolve));
    assert.equal(made, 64);
    session.close();
  });
});
