import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { type RunSessionResponse, SessionService } from "@frontdesk/protos/ces/session_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { defineService } from "#rpc";
import { unavailable } from "#status";
import { startWireServer } from "./wire-server.ts";

const REST = "/v1/projects/p/locations/us/apps/a/sessions/s:streamRunSession";
const REQUEST = { config: { session: "s" }, inputs: [{ inputType: { case: "text" as const, value: "hi" } }] };
const DONE = { outputType: { case: "text" as const, value: "done" } };
const ANSWER = { outputs: [DONE] };

/** A server whose turn works until `go` resolves, and then answers or fails. */
function working(go: Promise<unknown>, end: "answers" | "fails" = "answers") {
  return startWireServer({
    heartbeatMs: 20,
    sessions: {
      async *streamRunSession() {
        await go;
        if (end === "fails") throw unavailable("the tool is down");
        yield ANSWER;
      },
      async *bidiRunSession() {
        await go;
        yield { messageType: { case: "sessionOutput", value: DONE } };
      },
    },
  });
}

/** Reads a response; calls `onBeat` when it has brought something three times. */
async function readAll(response: Response, onBeat: () => void): Promise<string> {
  let all = "";
  let reads = 0;
  for await (const bytes of response.body ?? []) {
    all += Buffer.from(bytes).toString();
    if (++reads === 3) onBeat();
  }
  return all;
}

describe("a stream that has nothing to send (WIRE-49)", () => {
  it("over REST sends white space in its array", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await working(promise);
    const response = await fetch(server.url + REST, { method: "POST", body: '{"inputs":[{"text":"hi"}]}' });
    const text = await readAll(response, resolve);
    assert.match(text, /^\[(\r\n){2,}\{"outputs":\[\{"text":"done"\}\]\}\]$/);
    assert.deepEqual(JSON.parse(text), [{ outputs: [{ text: "done" }] }]);
  });

  it("over REST tells an error that comes later as an element", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await working(promise, "fails");
    const response = await fetch(`${server.url}${REST}?alt=sse`, {
      method: "POST",
      body: '{"inputs":[{"text":"hi"}]}',
    });
    const text = await readAll(response, resolve);
    assert.match(text, /^(:\r\n\r\n){2,}data: \{"error":\{"code":503,"message":"the tool is down"/);
  });

  it("as server-sent events sends comments", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await working(promise);
    const response = await fetch(`${server.url}${REST}?alt=sse`, {
      method: "POST",
      body: '{"inputs":[{"text":"hi"}]}',
    });
    assert.match(
      await readAll(response, resolve),
      /^(:\r\n\r\n){2,}data: \{"outputs":\[\{"text":"done"\}\]\}\r\n\r\n$/,
    );
  });

  it("to readers of lines sends empty lines, but none before its first element", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await startWireServer({
      heartbeatMs: 20,
      more: [
        defineService(DataChatService, [], {
          async *chat() {
            await new Promise((done) => setTimeout(done, 60));
            yield {};
            await promise;
            yield {};
          },
        }),
      ],
    });
    const response = await fetch(`${server.url}/v1beta/projects/p/locations/us:chat`, {
      method: "POST",
      body: JSON.stringify({ messages: [{ userMessage: { text: "hi" } }] }),
    });
    assert.match(await readAll(response, resolve), /^\[\{\}\n+\n,\n\{\}\n\]$/);
  });

  for (const [name, transportTo] of Object.entries({
    gRPC: (baseUrl: string) => createGrpcTransport({ baseUrl }),
    "gRPC-Web": (baseUrl: string) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
    Connect: (baseUrl: string) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  }))
    it(`over ${name} sends responses without outputs`, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await using server = await working(promise);
      const responses: RunSessionResponse[] = [];
      for await (const response of createClient(SessionService, transportTo(server.url)).streamRunSession(REQUEST))
        if (responses.push(response) === 3) resolve();
      assert.deepEqual(
        responses.map(({ outputs }) => outputs.map(({ outputType }) => outputType.value)),
        [...responses.slice(1).map(() => []), ["done"]],
      );
    });

  it("in both directions over gRPC sends empty outputs", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await working(promise);
    const client = createClient(SessionService, createGrpcTransport({ baseUrl: server.url }));
    const silent = async function* () {
      await promise;
      yield* [];
    };
    const outputs: unknown[] = [];
    for await (const { messageType } of client.bidiRunSession(silent())) {
      assert.equal(messageType.case, "sessionOutput");
      if (messageType.case === "sessionOutput" && outputs.push(messageType.value.outputType.value) === 3) resolve();
    }
    assert.deepEqual(outputs, [...outputs.slice(1).map(() => undefined), "done"]);
  });
});
