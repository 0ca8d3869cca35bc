import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect, createSecureServer } from "node:http2";
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { SessionConfigSchema, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { ANONYMOUS, createLogger, type Logger } from "#base";
import type { TurnEvent, TurnRequest } from "#session";
import { Code, ConnectError, reasonOf } from "#status";
import { newConnectionKey, TLS_WITH_KEY } from "./connection-key.ts";
import type { RunForwarded } from "./contract.ts";
import { lineOf, linesOf } from "./lines.ts";
import { createTurnClient } from "./turn-client.ts";
import { encodeEvent, encodeTurn } from "./turn-codec.ts";
import { openTurnServer } from "./turn-server.ts";

const logger = createLogger("silent");
const NEVER = new AbortController().signal;
const SESSION = "projects/p/locations/us/apps/a/sessions/talking";
const config = create(SessionConfigSchema, { session: SESSION });
const sender = { caller: ANONYMOUS, peer: { address: "192.0.2.7" } };
const TURN = { session: SESSION, config, inputs: [], source: 1, streamText: true, sender };
const REQUEST = { ...TURN, isForwardable: true } as unknown as TurnRequest;
const TEXT: TurnEvent = { kind: "text-delta", agent: "Root", text: "said", turnIndex: 1 };
const key = newConnectionKey();

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const optionsFor = (run: RunForwarded) => ({ host: "127.0.0.1", port: 0, id: "one", key, run, logger });

async function serverFor(run: RunForwarded) {
  const server = await openTurnServer(optionsFor(run));
  opened.push(server);
  return server;
}

/** Sends turns to the one server that there is. */
function clientOf({ maxLineLength }: { readonly maxLineLength?: number } = {}) {
  const outcomes: string[] = [];
  const client = createTurnClient({
    openKey: () => key,
    isAlive: async () => true,
    observe: (outcome) => outcomes.push(outcome),
    logger,
    ...(maxLineLength && { maxLineLength }),
  });
  opened.push(client);
  const forward = ({ port }: { readonly port: number }, request: TurnRequest) =>
    client.forward({ id: "one", host: "127.0.0.1", port, sealedKey: key }, request, NEVER);
  return { forward, outcomes };
}

async function peerOf({ port }: { readonly port: number }): Promise<ClientHttp2Session> {
  const peer = connect(`https://127.0.0.1:${port}`, {
    ...TLS_WITH_KEY,
    pskCallback: () => ({ psk: key, identity: "one" }),
    checkServerIdentity: () => undefined,
  });
  await once(peer, "connect");
  opened.push({ close: () => peer.destroy() });
  return peer;
}

async function* answer({ mayBegin }: Parameters<RunForwarded>[0]): AsyncGenerator<TurnEvent, void> {
  await mayBegin();
  yield TEXT;
}

describe("the port for turns of other servers (DB-54)", () => {
  it("goes on when it reads a request together with its end, as a server does that slept", async () => {
    const between = await slowPath(await serverFor(answer));
    const peer = await peerOf(between);
    assert.deepEqual(await turnOf(peer), ["begin", "event", "end"]);
    between.hold();
    const stream = peer.request({ ":method": "POST", ":path": "/turns" });
    stream.on("error", () => undefined);
    stream.write(lineOf(encodeTurn(TURN as never)));
    await setImmediate();
    stream.close(8);
    await once(stream, "close");
    between.release();
    assert.deepEqual(await turnOf(peer), ["begin", "event", "end"]);
  });

  it("goes on when a request comes together with the end of its connection", async () => {
    const server = await serverFor(answer);
    const between = await slowPath(server);
    const peer = await peerOf(between);
    between.hold();
    const stream = peer.request({ ":method": "POST", ":path": "/turns" });
    stream.on("error", () => undefined);
    stream.write(lineOf(encodeTurn(TURN as never)));
    await setImmediate();
    between.release();
    peer.destroy();
    between.cut();
    assert.deepEqual(await turnOf(await peerOf(server)), ["begin", "event", "end"]);
  });

  it("closes before the handshakes that hang are over", async () => {
    const { server, told } = await toldBy();
    const stranger = await strangerAt(server);
    await server.close();
    await stranger.closed;
    assert.deepEqual(told, []);
  });

  it("has so many connections that strangers cannot use up the files of the process", async () => {
    const { server, told } = await toldBy();
    opened.push(server);
    const strangers = await Promise.all(Array.from({ length: 257 }, () => strangerAt(server)));
    await Promise.race(strangers.map(({ closed }) => closed));
    // Nobody's handshake was given up: there was one connection too many.
    assert.deepEqual(told, []);
    for (const { socket } of strangers) socket.destroy();
    await Promise.all(strangers.map(({ closed }) => closed));
    assert.deepEqual(await turnOf(await peerOf(server)), ["begin", "event", "end"]);
  });

  it("ends a turn whose server sends more than is asked for", async () => {
    const peer = await peerOf(await serverFor(answer));
    const stream = peer.request({ ":method": "POST", ":path": "/turns" });
    const closed = once(stream, "close");
    stream.write(lineOf(encodeTurn(TURN as never)));
    const kinds: string[] = [];
    for await (const line of linesOf(stream)) {
      kinds.push(Object.keys(JSON.parse(line)).join());
      if (kinds.length === 1) stream.end(lineOf({ go: true }) + "more\n".repeat(30_000));
    }
    assert.deepEqual(kinds, ["begin", "event", "end"]);
    await closed;
  });

  it("reads no line to its end that is longer than a turn can be", async () => {
    const server = await openTurnServer({ ...optionsFor(answer), maxLineLength: 10_000 });
    opened.push(server);
    const peer = await peerOf(server);
    const stream = peer.request({ ":method": "POST", ":path": "/turns" });
    stream.write("x".repeat(10_001));
    // Without an end of the line, and of the stream.
    await assert.rejects(Array.fromAsync(linesOf(stream)), { code: "ERR_STREAM_PREMATURE_CLOSE" });
    assert.deepEqual(await turnOf(peer), ["begin", "event", "end"]);
  });

  it("says so when what came of a turn is too long to be passed on", async () => {
    const long: TurnEvent = { ...TEXT, text: "x".repeat(10_001) };
    const run: RunForwarded = async function* ({ mayBegin }) {
      await mayBegin();
      yield TEXT;
      yield long;
    };
    const server = await openTurnServer({ ...optionsFor(run), maxLineLength: 10_000 });
    opened.push(server);
    const { forward } = clientOf();
    const events = await forward(server, REQUEST);
    assert.ok(events);
    const error = await Array.fromAsync(events).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ConnectError);
    assert.deepEqual(error.code, Code.ResourceExhausted);
    assert.match(error.rawMessage, /read the conversation before you send it again/);
  });

  for (const line of [
    "null",
    "5",
    "{",
    '"x"',
    "{}",
    '{"turn":null}',
    '{"turn":{}}',
    '{"turn":{"request":5}}',
    '{"go":true}',
    "",
  ])
    it(`answers an error to a line that is no turn: ${line}`, async () => {
      const peer = await peerOf(await serverFor(answer));
      const stream = peer.request({ ":method": "POST", ":path": "/turns" });
      stream.end(`${line}\n`);
      const lines = await Array.fromAsync(linesOf(stream));
      assert.deepEqual(
        lines.map((each) => Object.keys(JSON.parse(each)).join()),
        ["error"],
      );
    });
});

/** A server, and what it tells of connections that fail. */
async function toldBy() {
  const told: string[] = [];
  const listening = { debug: (_facts: object, what: string) => told.push(what) } as unknown as Logger;
  const server = await openTurnServer({ host: "127.0.0.1", port: 0, id: "one", key, run: answer, logger: listening });
  return { server, told };
}

/** Connects and says nothing. */
async function strangerAt({ port }: { readonly port: number }) {
  const socket = connectTcp(port, "127.0.0.1").on("error", () => undefined);
  const closed = once(socket, "close");
  await once(socket, "connect");
  return { socket, closed };
}

/** A way to a server on which what is sent can be held, and then comes at once. */
async function slowPath({ port }: { readonly port: number }) {
  let held: Buffer[] | undefined;
  let outward: Socket | undefined;
  const path = createServer((inward) => {
    const server = connectTcp(port, "127.0.0.1");
    outward = server;
    inward.on("error", () => undefined).on("close", () => server.destroy());
    server.on("error", () => undefined).on("close", () => inward.destroy());
    inward.on("data", (bytes) => (held ? held.push(bytes) : server.write(bytes)));
    server.pipe(inward);
  });
  path.listen(0, "127.0.0.1");
  await once(path, "listening");
  opened.push(path);
  return {
    port: (path.address() as AddressInfo).port,
    hold: () => {
      held = [];
    },
    cut: () => outward?.end(),
    release: () => {
      outward?.write(Buffer.concat(held ?? []));
      held = undefined;
    },
  };
}

async function turnOf(peer: ClientHttp2Session): Promise<readonly string[]> {
  const stream = peer.request({ ":method": "POST", ":path": "/turns" });
  stream.write(lineOf(encodeTurn(TURN as never)));
  const kinds: string[] = [];
  for await (const line of linesOf(stream)) {
    kinds.push(Object.keys(JSON.parse(line)).join());
    if (kinds.length === 1) stream.end(lineOf({ go: true }));
  }
  return kinds;
}

describe("turns at another server (DB-54)", () => {
  it("go on when it takes another one too late", async () => {
    const server = createSecureServer({ ...TLS_WITH_KEY, pskCallback: () => key });
    const go = Promise.withResolvers<void>();
    let asked = 0;
    server.on("stream", async (stream) => {
      stream.on("error", () => undefined);
      if (asked++ > 0) return;
      stream.respond({ ":status": 200 });
      stream.write(lineOf({ begin: true }));
      await go.promise;
      stream.end(lineOf(encodeEvent(TEXT)) + lineOf({ end: true }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.push(server);
    const address = server.address() as AddressInfo;
    const { forward } = clientOf();
    const events = await forward(address, REQUEST);
    assert.ok(events);
    assert.equal(await forward(address, REQUEST), undefined);
    go.resolve();
    assert.deepEqual(await Array.fromAsync(events), [TEXT]);
  });

  it("are not sent when they are too long, and its other turns still are", async () => {
    const server = await serverFor(answer);
    const { forward, outcomes } = clientOf({ maxLineLength: 10_000 });
    const input = create(SessionInputSchema, { inputType: { case: "text", value: "x".repeat(10_001) } });
    assert.equal(await forward(server, { ...REQUEST, inputs: [input] }), undefined);
    assert.deepEqual(outcomes, []);
    assert.deepEqual(await Array.fromAsync((await forward(server, REQUEST)) ?? []), [TEXT]);
  });

  it("end when it answers with a line that has no end", async () => {
    const server = createSecureServer({ ...TLS_WITH_KEY, pskCallback: () => key });
    server.on("stream", (stream) => {
      stream.on("error", () => undefined);
      stream.respond({ ":status": 200 });
      stream.write(lineOf({ begin: true }));
      stream.write("x".repeat(10_001));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.push(server);
    const { forward, outcomes } = clientOf({ maxLineLength: 10_000 });
    const events = await forward(server.address() as AddressInfo, REQUEST);
    const error = await Array.fromAsync(events ?? []).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ConnectError);
    assert.equal(reasonOf(error), "SERVER_LOST");
    assert.deepEqual(outcomes, ["sent", "lost"]);
  });
});
