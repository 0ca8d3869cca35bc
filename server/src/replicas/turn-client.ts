import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { isIPv6 } from "node:net";
import type { Logger } from "#base";
import type { TurnEvent, TurnRequest } from "#session";
import { ConnectError, unavailable } from "#status";
import type { ReplicaAddress } from "#storage";
import { TLS_WITH_KEY } from "./connection-key.ts";
import type { ForwardedTurn, ForwardingOutcome, TurnClient } from "./contract.ts";
import { lineOf, linesOf, MAX_LINE_LENGTH } from "./lines.ts";
import { decodeError, decodeEvent, encodeTurn, type TurnLine } from "./turn-codec.ts";

interface TurnClientOptions {
  /** Opens the sealed key of a server's connections. Throws when it cannot. */
  readonly openKey: (server: ReplicaAddress) => Uint8Array;
  /** Whether a server of the database is seen alive. */
  readonly isAlive: (id: string) => Promise<boolean>;
  /** Told what became of each turn. */
  readonly observe: (outcome: ForwardingOutcome) => void;
  readonly logger: Logger;
  /** Milliseconds that a server has to take a turn; then the turn waits here for its session. Default 500. */
  readonly takenMs?: number;
  /** Most characters of what another server sends at once, and is sent. */
  readonly maxLineLength?: number;
}

/** Milliseconds in which a server that took none is not asked again. */
const SHUNNED_MS = 5_000;
/** Milliseconds between two looks whether a server that has a turn lives: a machine that stops ends no connection. */
const ALIVE_EVERY_MS = 1_000;
/** Milliseconds for which one look counts for all turns that the server has: there may be thousands. */
const LOOK_COUNTS_MS = 500;
/** Milliseconds without a byte after which a connection without a turn ends. */
const IDLE_MS = 60_000;

const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_STATUS, HTTP2_METHOD_POST } = constants;
const { HTTP_STATUS_OK, HTTP_STATUS_SERVICE_UNAVAILABLE, NGHTTP2_CANCEL } = constants;

/** Creates the client of other servers' ports (DB-53). It keeps a connection to each while there are turns for it. */
export function createTurnClient(options: TurnClientOptions): TurnClient {
  return new ConnectionsToServers(options);
}

class ConnectionsToServers implements TurnClient {
  readonly #options: TurnClientOptions;
  readonly #sessions = new Set<ClientHttp2Session>();
  /** Those to which turns are sent, by the ids of servers. */
  readonly #connections = new Map<string, Connection>();
  /** Until when servers are not asked, by their ids; milliseconds of `performance.now()`. */
  readonly #shunned = new Map<string, number>();
  /** The last look whether a server lives, by its id. */
  readonly #looks = new Map<string, { readonly at: number; readonly isAlive: Promise<boolean> }>();

  constructor(options: TurnClientOptions) {
    this.#options = options;
  }

  async forward(
    server: ReplicaAddress,
    request: TurnRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<TurnEvent> | undefined> {
    const { observe, maxLineLength = MAX_LINE_LENGTH } = this.#options;
    const turn = forwardable(request);
    const line = turn && lineOf(encodeTurn(turn));
    if (!line || line.length > maxLineLength) return undefined;
    const stream = await this.#send(server, line, signal);
    if (!stream) {
      signal.throwIfAborted();
      observe("refused");
      return undefined;
    }
    observe("sent");
    const sent = new SentTurn(stream, linesOf(stream, maxLineLength), signal, () => this.#isAlive(server.id));
    if (await sent.begins()) return sent.events(() => observe("lost"));
    signal.throwIfAborted();
    observe("returned");
    return undefined;
  }

  #isAlive(id: string): Promise<boolean> {
    const now = performance.now();
    for (const [each, { at }] of this.#looks) if (at + LOOK_COUNTS_MS <= now) this.#looks.delete(each);
    const look = this.#looks.get(id) ?? { at: now, isAlive: this.#options.isAlive(id) };
    this.#looks.set(id, look);
    return look.isAlive;
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  /** The request of a turn that the server has taken; undefined when it did not, or not in time. */
  async #send(server: ReplicaAddress, line: string, signal: AbortSignal): Promise<ClientHttp2Stream | undefined> {
    if ((this.#shunned.get(server.id) ?? 0) > performance.now()) return undefined;
    const { takenMs = 500 } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(takenMs)]);
    let stream: ClientHttp2Stream | undefined;
    try {
      const { session, open } = this.#connectionTo(server);
      await Promise.race([open, once(limit, "abort").then(() => limit.throwIfAborted())]);
      stream = session.request({ [HTTP2_HEADER_METHOD]: HTTP2_METHOD_POST, [HTTP2_HEADER_PATH]: "/turns" });
      // Who waits for the stream or reads it gets its error.
      stream.on("error", () => undefined);
      stream.write(line);
      const [{ [HTTP2_HEADER_STATUS]: status }] = await once(stream, "response", { signal: limit });
      if (status === HTTP_STATUS_OK) return stream;
      if (status !== HTTP_STATUS_SERVICE_UNAVAILABLE) throw new Error(`it answers with status ${status}`);
    } catch (error) {
      if (!signal.aborted) this.#shun(server, error);
    }
    stream?.close(NGHTTP2_CANCEL);
    stream?.destroy();
    return undefined;
  }

  #connectionTo(server: ReplicaAddress): Connection {
    const { id, host, port } = server;
    const known = this.#connections.get(id);
    if (known && !known.session.closed && !known.session.destroyed) return known;
    const psk = this.#options.openKey(server);
    const session = connect(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`, {
      ...TLS_WITH_KEY,
      pskCallback: () => ({ psk, identity: id }),
      // The key names the server; there is no certificate.
      checkServerIdentity: () => undefined,
    });
    const connection = { session, open: once(session, "connect") };
    connection.open.catch(() => undefined);
    this.#sessions.add(session);
    this.#connections.set(id, connection);
    session.on("error", (error) =>
      this.#options.logger.debug({ err: error, server: id }, "a connection to another server failed"),
    );
    session.once("close", () => {
      this.#sessions.delete(session);
      if (this.#connections.get(id) === connection) this.#connections.delete(id);
    });
    session.setTimeout(IDLE_MS, () => session.close());
    return connection;
  }

  #shun(server: ReplicaAddress, error: unknown): void {
    const { id, host, port } = server;
    const session = this.#connections.get(id)?.session;
    this.#connections.delete(id);
    // Turns that have begun there go on: the server may only have been busy (DB-54).
    if (session?.connecting) session.destroy();
    else session?.close();
    const now = performance.now();
    for (const [each, until] of this.#shunned) if (until <= now) this.#shunned.delete(each);
    this.#shunned.set(id, now + SHUNNED_MS);
    const facts = { err: error, server: id, address: `${host}:${port}` };
    this.#options.logger.warn(
      facts,
      "another server takes no turns of its sessions at this address: they wait for it here",
    );
  }
}

/** A connection to a server. */
interface Connection {
  readonly session: ClientHttp2Session;
  /** Settles once: many turns may wait for it. */
  readonly open: Promise<unknown>;
}

/** What another server needs to run the turn; undefined when something else is needed, which only this server has. */
function forwardable(request: TurnRequest): ForwardedTurn | undefined {
  const { session, config, inputs, source, streamText, traceparent, tracePrompts, key, sender } = request;
  if (!request.isForwardable || request.voice || !sender) return undefined;
  const { caller, peer } = sender;
  const turn = { session, config, inputs, source, streamText, sender: { caller, peer } };
  return { ...turn, traceparent, key, ...(tracePrompts !== undefined && { tracePrompts }) };
}

/** A turn that another server has. It ends with its client, and when that server is no longer seen alive. */
class SentTurn {
  readonly #stream: ClientHttp2Stream;
  readonly #lines: AsyncGenerator<string, void>;
  readonly #signal: AbortSignal;
  readonly #leave: () => void;
  readonly #watch: NodeJS.Timeout;

  constructor(
    stream: ClientHttp2Stream,
    lines: AsyncGenerator<string, void>,
    signal: AbortSignal,
    isAlive: () => Promise<boolean>,
  ) {
    this.#stream = stream;
    this.#lines = lines;
    this.#signal = signal;
    this.#leave = () => stream.close(NGHTTP2_CANCEL);
    if (signal.aborted) this.#leave();
    signal.addEventListener("abort", this.#leave, { once: true });
    const look = () =>
      isAlive().then(
        (alive) => alive || stream.destroy(new Error("the server is not seen alive")),
        // While the database does not answer nobody is known to be gone.
        () => undefined,
      );
    this.#watch = setInterval(look, ALIVE_EVERY_MS);
  }

  /** Waits until the server can begin the turn, and lets it. False when it does not come to that: then the turn has not run there, and will not. */
  async begins(): Promise<boolean> {
    const line = await this.#next().catch(() => undefined);
    if (line && "begin" in line && !this.#signal.aborted) {
      this.#stream.end(lineOf({ go: true }));
      return true;
    }
    this.#end();
    return false;
  }

  async *events(onLost: () => void): AsyncGenerator<TurnEvent, void> {
    try {
      for (;;) {
        const line = await this.#next();
        if (!line) throw new Error("the answer was cut off");
        if ("end" in line) return;
        if ("error" in line) throw decodeError(line.error);
        if ("event" in line) yield decodeEvent(line.event);
      }
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof ConnectError) throw error;
      onLost();
      throw lost(error);
    } finally {
      this.#end();
    }
  }

  async #next(): Promise<TurnLine | undefined> {
    const { value } = await this.#lines.next();
    return value === undefined ? undefined : (JSON.parse(value) as TurnLine);
  }

  #end(): void {
    clearInterval(this.#watch);
    this.#signal.removeEventListener("abort", this.#leave);
    this.#stream.close(NGHTTP2_CANCEL);
    // What came and was not read would keep it.
    this.#stream.destroy();
  }
}

/** The turn may have ended, for what is known here: it is not run a second time. */
function lost(cause: unknown): ConnectError {
  const error = unavailable(
    "The server that ran this turn ended before it had answered. The turn may be stored: send it again with the same Idempotency-Key, or read the conversation before you do without one.",
    { reason: "SERVER_LOST" },
  );
  error.cause = cause;
  return error;
}
