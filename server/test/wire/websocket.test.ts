import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { SessionService as SessionsV1 } from "@frontdesk/protos/ces-v1/session_service";
import { createLogger, systemClock } from "#base";
import { createWebSocketHandler } from "#protocols";
import { createRegistry, defineService, type ServiceImplementation } from "#rpc";
import {
  type ConnectError,
  cancelled,
  failedPrecondition,
  invalidArgument,
  notFound,
  permissionDenied,
  resourceExhausted,
  unauthenticated,
  unavailable,
} from "#status";
import { openRaw } from "../live/raw-client.ts";
import { openWebSocket, WS_PATH } from "../live/web-socket-client.ts";
import { rawExchange, startWireServer, type WireServerOptions } from "./wire-server.ts";

type Bidi = NonNullable<ServiceImplementation<typeof SessionService>["bidiRunSession"]>;

/** A server with one bidirectional method. */
function serve(
  bidiRunSession: Bidi,
  deps: Partial<Parameters<typeof createWebSocketHandler>[1]> = {},
  options: WireServerOptions = {},
) {
  const logger = createLogger("silent");
  const service = defineService(SessionService, [SessionsV1], { bidiRunSession });
  const registry = createRegistry([service], { clock: systemClock, logger });
  return startWireServer({ ...options, handlers: { upgrade: createWebSocketHandler(registry, { logger, ...deps }) } });
}

const output = (value: string) => ({
  messageType: { case: "sessionOutput" as const, value: { outputType: { case: "text" as const, value } } },
});

/** Echoes each message: kind and content. */
const echo: Bidi = async function* (messages) {
  for await (const { messageType } of messages) {
    if (messageType.case === "config") yield output(`config ${messageType.value.session}`);
    if (messageType.case === "realtimeInput") yield output(`${messageType.value.inputType.value}`);
  }
};

describe("a WebSocket", () => {
  it("carries one JSON message per frame, text or binary, in camelCase and snake_case, with unknown fields", async () => {
    await using server = await serve(echo);
    await using client = await openWebSocket(server.url);
    client.send({ config: { session: "s", deployment: "d", accessToken: "not ours" } });
    client.raw(new TextEncoder().encode('{"realtime_input": {"text": "größe", "will_continue": false}}'));
    client.send({ realtimeInput: { text: "b", colour: { deep: [1] } }, environment: "prod" });
    const received = [await client.next(), await client.next(), await client.next()];
    assert.deepEqual(received, [
      { sessionOutput: { text: "config s" } },
      { sessionOutput: { text: "größe" } },
      { sessionOutput: { text: "b" } },
    ]);
  });

  it("serves v1 and v1beta, each with the fields that it has", async () => {
    for (const revision of ["v1", "v1beta"]) {
      await using server = await serve(async function* (_messages, context) {
        yield output(`${context.revision} ${context.protocol} ${context.headers.get("host") !== undefined}`);
      });
      await using client = await openWebSocket(server.url, WS_PATH.replace(".v1.", `.${revision}.`));
      assert.deepEqual(await client.next(), { sessionOutput: { text: `${revision} websocket true` } });
    }
  });

  it("works over TLS on the same port", async () => {
    await using server = await serve(echo, {}, { tls: true });
    const client = await openRaw(server.url.replace("http:", "https:"), WS_PATH);
    client.send({ realtimeInput: { text: "hi" } });
    assert.deepEqual(JSON.parse((await client.frame()).payload.toString()), { sessionOutput: { text: "hi" } });
    client.reset();
  });

  it("is half-closed by the client's Close: earlier messages are still processed", async () => {
    const received = Promise.withResolvers<readonly string[]>();
    await using server = await serve(async function* (messages, { signal }) {
      const kinds: string[] = [];
      for await (const { messageType } of messages) kinds.push(`${messageType.case}`);
      received.resolve([...kinds, signal.aborted ? "gone" : "half-closed"]);
      yield output("nobody reads this");
    });
    await using client = await openWebSocket(server.url);
    client.send({ config: { session: "s" } });
    client.say("bye");
    client.halfClose();
    assert.deepEqual(await received.promise, ["config", "realtimeInput", "half-closed"]);
  });

  it("aborts the method when the connection ends without a close frame", async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await serve(async function* (_messages, { signal }) {
      signal.addEventListener("abort", () => gone.resolve());
      yield output("hello");
      await gone.promise;
    });
    const client = await openRaw(server.url, WS_PATH);
    client.send({ config: { session: "s" } });
    await client.frame();
    client.reset();
    await gone.promise;
  });

  it("aborts the method when a page goes away, which browsers say with 1001 (WIRE-51)", async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await serve(async function* (_messages, { signal }) {
      signal.addEventListener("abort", () => gone.resolve());
      yield output("hello");
      await gone.promise;
    });
    const client = await openRaw(server.url, WS_PATH);
    client.send({ config: { session: "s" } });
    await client.frame();
    client.close(1001);
    await gone.promise;
  });

  it("closes with 1000 when the method is done", async () => {
    await using server = await serve(async function* () {
      yield output("bye");
    });
    await using client = await openWebSocket(server.url);
    assert.deepEqual(await client.next(), { sessionOutput: { text: "bye" } });
    assert.deepEqual(await client.closed, { code: 1000, reason: "" });
  });

  const ERRORS: readonly (readonly [ConnectError, number, string])[] = [
    [invalidArgument({ field: "a", description: "is wrong" }), 1007, "generic::invalid_argument: a: is wrong"],
    [notFound("apps/a"), 1008, "generic::not_found: Resource 'apps/a' was not found."],
    [permissionDenied("No."), 1008, "generic::permission_denied: No."],
    [unauthenticated("Who?"), 1008, "generic::unauthenticated: Who?"],
    [resourceExhausted("Enough."), 1011, "[ORIGINAL ERROR] generic::resource_exhausted: Enough."],
    [failedPrecondition("Late."), 1011, "[ORIGINAL ERROR] generic::failed_precondition: Late."],
    [unavailable("Down."), 1011, "[ORIGINAL ERROR] generic::unavailable: Down."],
    [cancelled("Left."), 1011, "[ORIGINAL ERROR] generic::cancelled: Left."],
  ];
  for (const [error, code, reason] of ERRORS) {
    it(`closes with ${code} and '${reason}'`, async () => {
      await using server = await serve(async function* () {
        yield output("so far so good");
        throw error;
      });
      await using client = await openWebSocket(server.url);
      assert.deepEqual(await client.next(), { sessionOutput: { text: "so far so good" } });
      assert.deepEqual(await client.closed, { code, reason });
    });
  }

  it("closes with 1011 and no detail on an internal error", async () => {
    await using server = await serve(() => {
      throw new Error("secret");
    });
    await using client = await openWebSocket(server.url);
    const { code, reason } = await client.closed;
    assert.equal(code, 1011);
    assert.match(reason, /^\[ORIGINAL ERROR\] generic::internal: /);
    assert.doesNotMatch(reason, /secret/);
  });

  it("shortens a reason to the size of a close frame, between characters", async () => {
    await using server = await serve(() => {
      throw notFound("ö".repeat(100));
    });
    await using client = await openWebSocket(server.url);
    const { reason } = await client.closed;
    assert.equal(reason, `generic::not_found: Resource '${"ö".repeat(45)}…`);
    assert.ok(Buffer.byteLength(reason) <= 123);
  });

  const BAD: Readonly<Record<string, readonly [string | Uint8Array, RegExp]>> = {
    "text that is no JSON": [
      "{config}",
      /^generic::invalid_argument: Invalid JSON payload received\. Unexpected token/,
    ],
    "bytes that are no UTF-8": [new Uint8Array([0xff, 0xfe]), /not valid UTF-8/],
    "JSON that is no message": ["[1]", /^generic::invalid_argument/],
    "a value that does not fit": ['{"config": {"session": 5}}', /^generic::invalid_argument: .*config\.session/],
    "two kinds of message in one": [
      '{"config": {"session": "s"}, "realtimeInput": {"text": "a"}}',
      /^generic::invalid_argument/,
    ],
    "a config without its required session": ['{"config": {}}', /^generic::invalid_argument: config\.session/],
  };
  for (const [what, [frame, reason]] of Object.entries(BAD)) {
    it(`closes with 1007 on ${what}`, async () => {
      await using server = await serve(echo);
      await using client = await openWebSocket(server.url);
      client.raw(frame);
      const closed = await client.closed;
      assert.equal(closed.code, 1007);
      assert.match(closed.reason, reason);
    });
  }

  it("closes with 1009 on a message that is too large", async () => {
    await using server = await serve(echo, { limits: { maxBodyBytes: 1_000 } });
    await using client = await openWebSocket(server.url);
    client.say("a".repeat(2_000));
    assert.equal((await client.closed).code, 1009);
  });

  it("pauses a client that sends faster than the method reads, and loses nothing", async () => {
    const start = Promise.withResolvers<void>();
    await using server = await serve(async function* (messages) {
      await start.promise;
      let count = 0;
      for await (const _message of messages) if (++count === 2_000) yield output(`${count} received`);
    });
    await using client = await openWebSocket(server.url);
    for (let count = 0; count < 2_000; count++) client.say("a".repeat(2_000));
    start.resolve();
    assert.deepEqual(await client.next(), { sessionOutput: { text: "2000 received" } });
  });

  it("produces no more than a slow reader reads, and continues when it reads", async () => {
    let made = 0;
    await using server = await serve(async function* () {
      for (; made < 64; made++) yield output("a".repeat(512 * 1024));
    });
    const client = await openRaw(server.url, WS_PATH);
    client.pause();
    client.send({ config: { session: "s" } });
    let before = -1;
    while (made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(made < 64, `${made} messages of half a megabyte were made for a client that reads none`);
    client.resume();
    for (let count = 0; count < 64; count++) assert.equal((await client.frame()).opcode, 1);
    assert.deepEqual((await client.frame()).payload, Buffer.from([0x03, 0xe8])); // 1000
  });

  it("terminates a client that does not answer pings", async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await serve(
      async function* (_messages, { signal }) {
        signal.addEventListener("abort", () => gone.resolve());
        await gone.promise;
        yield output("nobody reads this");
      },
      { heartbeatMs: 10 },
    );
    const client = await openRaw(server.url, WS_PATH);
    assert.equal((await client.frame()).opcode, 9);
    await gone.promise;
    client.reset();
  });

  it("terminates a client that reads nothing, also while it is paused because it sends too much", async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await serve(
      async function* (_messages, { signal }) {
        signal.addEventListener("abort", () => gone.resolve());
        for (; !signal.aborted; await setImmediate()) yield output("a".repeat(512 * 1024));
      },
      { heartbeatMs: 50 },
    );
    const client = await openRaw(server.url, WS_PATH);
    client.pause();
    for (let count = 0; count < 1_000; count++) client.send({ realtimeInput: { text: "a".repeat(2_000) } });
    await gone.promise;
    client.reset();
  });

  it("keeps an idle client that answers its pings", async () => {
    await using server = await serve(echo, { heartbeatMs: 10 });
    await using client = await openWebSocket(server.url); // answers pings by itself
    await new Promise((resolve) => setTimeout(resolve, 100));
    client.say("still here");
    assert.deepEqual(await client.next(), { sessionOutput: { text: "still here" } });
  });

  it("is rejected at a path without a bidirectional method", async () => {
    await using server = await serve(echo);
    for (const path of ["/ws/google.cloud.ces.v1.SessionService/RunSession/locations/us", "/ws/nothing/here", "/"]) {
      const answer = await rawExchange(server.port, handshake(server.port, `${path}?access_token=secret`));
      assert.match(answer, /^HTTP\/1\.1 404 Not Found\r\n[\s\S]*"status":"NOT_FOUND"/);
      assert.doesNotMatch(answer, /secret/);
    }
  });

  it("is rejected for pages of other sites", async () => {
    await using server = await serve(echo, {}, { allowedOrigins: ["https://shop.example"] });
    const from = (origin: string) => rawExchange(server.port, handshake(server.port, WS_PATH, `Origin: ${origin}\r\n`));
    assert.match(await from("https://evil.example"), /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*PERMISSION_DENIED/);
    const allowed = await openRaw(server.url, WS_PATH, { Origin: "https://shop.example" });
    allowed.reset();
  });
});

function handshake(port: number, path: string, headers = ""): string {
  return (
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${headers}\r\n`
  );
}
