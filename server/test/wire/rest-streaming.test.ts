import assert from "node:assert/strict";
import { get as httpGet, request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { describe, it } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RunSessionResponseSchema } from "@frontdesk/protos/ces/session_service";
import type { CallContext } from "#rpc";
import { failedPrecondition } from "#status";
import { startWireServer } from "./wire-server.ts";

const STREAM = "/v1/projects/p/locations/us/apps/a/sessions/s:streamRunSession";
const body = JSON.stringify({ inputs: [{ text: "hi" }] });

type Answer = MessageInitShape<typeof RunSessionResponseSchema>;

function text(value: string): Answer {
  return { outputs: [{ outputType: { case: "text", value } }] };
}

function streaming(streamRunSession: (request: unknown, context: CallContext) => AsyncIterable<Answer>) {
  return startWireServer({ sessions: { streamRunSession } });
}

/** Sends the request and gives the answer piece by piece, as the network brings it. */
async function open(
  port: number,
  query = "",
): Promise<{
  response: IncomingMessage;
  next: () => Promise<string | undefined>;
  rest: () => Promise<{ text: string; broken: boolean }>;
}> {
  const arrived = Promise.withResolvers<IncomingMessage>();
  httpRequest({ port, path: STREAM + query, method: "POST" }, arrived.resolve).end(body);
  const response = await arrived.promise;
  const chunks = response[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await chunks.next();
    return done ? undefined : String(value);
  };
  const rest = async () => {
    let all = "";
    try {
      for (let chunk = await next(); chunk !== undefined; chunk = await next()) all += chunk;
      return { text: all, broken: false };
    } catch {
      return { text: all, broken: true };
    }
  };
  return { response, next, rest };
}

describe("server streaming over REST", () => {
  it("is one JSON array, from bracket to bracket, each message sent when it is ready", async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await streaming(async function* () {
      yield text("one");
      await gate.promise;
      yield text("two");
    });
    const { response, next, rest } = await open(server.port);
    assert.deepEqual([response.statusCode, response.headers["content-type"]], [200, "application/json; charset=UTF-8"]);
    assert.equal(await next(), '[{"outputs":[{"text":"one"}]}');
    gate.resolve();
    assert.deepEqual(await rest(), { text: ',\r\n{"outputs":[{"text":"two"}]}]', broken: false });
  });

  it("is an empty array when there is no message", async () => {
    await using server = await streaming(async function* () {});
    assert.deepEqual(await (await open(server.port)).rest(), { text: "[]", broken: false });
  });

  it("sends an error before the first message as an object with its HTTP status", async () => {
    // biome-ignore lint/correctness/useYield: it fails before its first message
    await using server = await streaming(async function* () {
      throw failedPrecondition("The session has ended.");
    });
    const { response, rest } = await open(server.port);
    assert.equal(response.statusCode, 400);
    assert.deepEqual(JSON.parse((await rest()).text), {
      error: { code: 400, message: "The session has ended.", status: "FAILED_PRECONDITION" },
    });
  });

  it("sends a later error as an element and then aborts, so that no client takes the response for complete", async () => {
    await using server = await streaming(async function* () {
      yield text("one");
      throw failedPrecondition("The model is gone.");
    });
    const { rest } = await open(server.port);
    assert.deepEqual(await rest(), {
      text: '[{"outputs":[{"text":"one"}]},\r\n{"error":{"code":400,"message":"The model is gone.","status":"FAILED_PRECONDITION"}}',
      broken: true,
    });
  });

  it("aborts over HTTP/2 by resetting the stream, not the connection", async () => {
    await using server = await streaming(async function* () {
      yield text("one");
      throw failedPrecondition("The model is gone.");
    });
    const session = connectHttp2(server.url);
    const stream = session.request({ ":method": "POST", ":path": STREAM });
    stream.end(body);
    let received = "";
    stream.on("data", (chunk) => (received += chunk));
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => stream.once("error", resolve));
    assert.equal(error.code, "ERR_HTTP2_STREAM_ERROR");
    assert.match(received, /^\[.*"The model is gone\."/s);
    assert.equal(session.destroyed, false);
    session.destroy();
  });

  it("sends data events with alt=sse, an error as the last one", async () => {
    await using server = await streaming(async function* () {
      yield text("one");
      throw failedPrecondition("The model is gone.");
    });
    const { response, rest } = await open(server.port, "?alt=sse");
    assert.equal(response.headers["content-type"], "text/event-stream");
    assert.deepEqual(await rest(), {
      text: 'data: {"outputs":[{"text":"one"}]}\r\n\r\ndata: {"error":{"code":400,"message":"The model is gone.","status":"FAILED_PRECONDITION"}}\r\n\r\n',
      broken: false,
    });
  });

  it("aborts the handler's signal when the client disconnects", async () => {
    const aborted = Promise.withResolvers<void>();
    await using server = await streaming(async function* (_, { signal }) {
      yield text("one");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      aborted.resolve();
    });
    const { response, next } = await open(server.port);
    await next();
    response.destroy();
    await aborted.promise;
  });

  it("waits for a slow client instead of buffering", async () => {
    let produced = 0;
    const big = "x".repeat(256 * 1024);
    await using server = await streaming(async function* () {
      for (; produced < 200; produced++) yield text(big);
    });
    const { response, next } = await open(server.port);
    await next();
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(produced < 100, `${produced} messages were made for a client that does not read`);
    response.destroy();
  });
});

describe("a unary call over REST", () => {
  it("aborts the handler's signal when the client disconnects", async () => {
    const started = Promise.withResolvers<AbortSignal>();
    await using server = await startWireServer({
      agents: {
        getApp: (_, { signal }) => {
          started.resolve(signal);
          return new Promise<never>(() => {});
        },
      },
    });
    const request = httpGet(`${server.url}/v1/projects/p/locations/us/apps/a`);
    request.on("error", () => {}); // It is destroyed below.
    const signal = await started.promise;
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    request.destroy();
    await aborted;
  });
});
