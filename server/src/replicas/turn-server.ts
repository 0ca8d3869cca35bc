import { once } from "node:events";
import { constants, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Logger } from "#base";
import { runDetached } from "#session";
import { logFault } from "#status";
import { TLS_WITH_KEY } from "./connection-key.ts";
import type { RunForwarded, TurnServer } from "./contract.ts";
import { decodeTurn, encodeError, encodeEvent, type TurnLine } from "./turn-codec.ts";

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
}

/** Milliseconds without a byte after which a connection ends that has no turn: its client ends it earlier, unless its machine has stopped. */
const IDLE_MS = 120_000;
/** Milliseconds that the answers of turns which have ended get to be sent. */
const SENT_MS = 1_000;

const { HTTP2_HEADER_STATUS, HTTP_STATUS_OK, HTTP_STATUS_SERVICE_UNAVAILABLE } = constants;

/**
 * Opens a port for turns of other servers (DB-53). Each request is a turn. It is answered with 200 before its body is read, and its client sends the body only after that: a
 * client that has given up meanwhile, because this server slept, has sent nothing that could be run. Rejects with the system's error when the port cannot be opened.
 */
export async function openTurnServer({ host, port, id, key, run, logger }: TurnServerOptions): Promise<TurnServer> {
  const sessions = new Set<ServerHttp2Session>();
  let draining = false;
  const server = createSecureServer({
    ...TLS_WITH_KEY,
    pskCallback: (_socket, identity) => (identity === id ? key : null),
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
    if (draining)
      return stream.respond({ [HTTP2_HEADER_STATUS]: HTTP_STATUS_SERVICE_UNAVAILABLE }, { endStream: true });
    stream.respond({ [HTTP2_HEADER_STATUS]: HTTP_STATUS_OK });
    void serve(stream, run, logger);
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
        for (const session of sessions) session.destroy();
      }, SENT_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

/** Runs the turn of a request, whose client may leave as any client may (TURN-48). */
async function serve(stream: ServerHttp2Stream, run: RunForwarded, logger: Logger): Promise<void> {
  const left = new AbortController();
  stream.once("close", () => left.abort());
  try {
    const turn = decodeTurn(await text(stream));
    const events = runDetached((stop, onActed) => run(turn, stop, onActed), left.signal);
    for await (const event of events) await send(stream, encodeEvent(event), left.signal);
    await send(stream, { end: true }, left.signal);
  } catch (error) {
    if (left.signal.aborted) return;
    logFault(error, logger, "a turn of another server failed");
    stream.write(lineOf(encodeError(error)));
  } finally {
    stream.end();
  }
}

/** Waits while the client reads more slowly than the turn runs. */
async function send(stream: ServerHttp2Stream, line: TurnLine, left: AbortSignal): Promise<void> {
  left.throwIfAborted();
  if (!stream.write(lineOf(line))) await once(stream, "drain", { signal: left });
}

function lineOf(line: TurnLine): string {
  return `${JSON.stringify(line)}\n`;
}
