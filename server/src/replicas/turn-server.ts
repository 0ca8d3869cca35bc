import { once } from "node:events";
import { constants, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "#base";
import { runDetached } from "#session";
import { internal, logFault, resourceExhausted, unavailable } from "#status";
import { TLS_WITH_KEY } from "./connection-key.ts";
import type { RunForwarded, TurnServer } from "./contract.ts";
import { lineOf, linesOf, MAX_LINE_LENGTH } from "./lines.ts";
import { decodeTurn, encodeError, encodeEvent, type RequestLine, type TurnLine } from "./turn-codec.ts";

interface TurnServerOptions {
  /** Where it listens; `0.0.0.0` and `::` for all addresses. */
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  /** Of this server, as in `Replica.id`. */
  readonly id: string;
  readonly key: Uint8Array;
  readonly run: RunForwarded;
  readonly logger: Logger;
  /** Most characters of what another server sends at once, and is sent. */
  readonly maxLineLength?: number;
}

/** Connections at a time: there are fewer servers, and who has no key shall not use up the files that this process may open (DB-54). */
const MAX_CONNECTIONS = 256;
/** Milliseconds for the handshake, which shows who has the key. */
const HANDSHAKE_MS = 5_000;
/** Milliseconds that the server whose turn it is has to say that the turn may begin: other turns of the session wait meanwhile. */
const GO_MS = 2_000;
/** Milliseconds without a byte after which a connection ends that has no turn: its client ends it earlier, unless its machine has stopped. */
const IDLE_MS = 120_000;
/** Milliseconds after which the system asks whether the machine of a silent connection is still there. */
const KEEP_ALIVE_MS = 60_000;
/** Milliseconds that the answers of turns which have ended get to be sent. */
const SENT_MS = 1_000;

const { HTTP2_HEADER_STATUS, HTTP_STATUS_OK, HTTP_STATUS_SERVICE_UNAVAILABLE } = constants;

/**
 * Opens a port for turns of other servers (DB-53). Each request is a turn, which begins only once its server has said so when it could: one that gave up meanwhile, because this
 * server slept, says nothing, and the turn does not run a second time. Rejects with the system's error when the port cannot be opened.
 */
export async function openTurnServer(options: TurnServerOptions): Promise<TurnServer> {
  const { host, port, id, key, logger } = options;
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let draining = false;
  const server = createSecureServer({
    ...TLS_WITH_KEY,
    handshakeTimeout: HANDSHAKE_MS,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    pskCallback: (_socket, identity) => (identity === id ? key : null),
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", (error) => logger.debug({ err: error }, "a connection of another server failed"));
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(IDLE_MS, () => session.close());
    session.on("error", (error) => logger.debug({ err: error }, "a connection of another server failed"));
  });
  server.on("stream", (stream) => {
    stream.on("error", (error) => logger.debug({ err: error }, "a turn of another server was cut off"));
    const status = draining ? HTTP_STATUS_SERVICE_UNAVAILABLE : HTTP_STATUS_OK;
    stream.respond({ [HTTP2_HEADER_STATUS]: status }, { endStream: draining });
    if (!draining) void serve(stream, options);
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const session of sessions) session.close();
      const late = setTimeout(() => {
        // With those whose handshake has not ended.
        for (const socket of sockets) socket.destroy();
      }, SENT_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

/** Runs the turn of a request, whose client may leave as any client may (TURN-48). */
async function serve(
  stream: ServerHttp2Stream,
  { run, logger, maxLineLength = MAX_LINE_LENGTH }: TurnServerOptions,
): Promise<void> {
  const left = new AbortController();
  stream.once("close", () => left.abort());
  const send = async (said: TurnLine): Promise<void> => {
    left.signal.throwIfAborted();
    const line = lineOf(said);
    if (line.length > maxLineLength) throw tooLong(line.length, maxLineLength);
    // Waits while the client reads more slowly than the turn runs.
    if (!stream.write(line)) await once(stream, "drain", { signal: left.signal });
  };
  try {
    const asked = linesOf(stream, maxLineLength);
    const first = await nextOf(asked);
    if (!first || !("turn" in first)) throw internal(new Error("another server sent no turn"));
    const turn = decodeTurn(first.turn);
    const mayBegin = async (): Promise<void> => {
      await send({ begin: true });
      const answer = await Promise.race([nextOf(asked), delay(GO_MS, undefined, { ref: false })]);
      if (!answer || !("go" in answer)) throw unavailable("The server that asked for this turn does not wait for it.");
    };
    const events = runDetached((signal, onActed) => run({ ...turn, signal, onActed, mayBegin }), left.signal);
    for await (const event of events) await send(encodeEvent(event));
    await send({ end: true });
  } catch (error) {
    if (left.signal.aborted) return;
    logFault(error, logger, "a turn of another server failed");
    stream.write(lineOf(encodeError(error)));
  } finally {
    // What was sent besides is not read: the stream would stay for it.
    stream.end(() => stream.destroy());
  }
}

function tooLong(length: number, most: number) {
  return resourceExhausted(
    `What came of this turn has ${length} characters, and the server that ran it passes on at most ${most} at once. The turn may be stored: read the conversation before you send it again.`,
  );
}

async function nextOf(lines: AsyncGenerator<string, void>): Promise<RequestLine | undefined> {
  const { value } = await lines.next();
  return value === undefined ? undefined : (JSON.parse(value) as RequestLine);
}
