import { readFileSync } from "node:fs";
import { connect as connectTcp, type Socket } from "node:net";
import { Writable } from "node:stream";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { AgentService as AgentServiceV1 } from "@frontdesk/protos/ces-v1/agent_service";
import { SessionService as SessionServiceV1 } from "@frontdesk/protos/ces-v1/session_service";
import { Operations } from "@frontdesk/protos/google/longrunning/operations";
import { pino } from "pino";
import { definedFields, systemClock } from "#base";
import {
  createConnectHandler,
  createMcpHandler,
  createRestHandler,
  type McpDeps,
  type RequestLimits,
} from "#protocols";
import {
  type Authenticator,
  createRegistry,
  defineService,
  type ServiceImplementation,
  type ServiceRegistration,
} from "#rpc";
import type { Handlers } from "../../src/app/listen/handlers.ts";
import type { ListenLimits } from "../../src/app/listen/limits.ts";
import { listen } from "../../src/app/listen/listen.ts";

/** Options of the server under test. */
export interface WireServerOptions {
  readonly agents?: ServiceImplementation<typeof AgentService>;
  readonly sessions?: ServiceImplementation<typeof SessionService>;
  readonly operations?: ServiceImplementation<typeof Operations>;
  readonly more?: readonly ServiceRegistration[];
  readonly strict?: boolean;
  readonly requests?: Partial<RequestLimits>;
  /** Default 20,000. */
  readonly heartbeatMs?: number;
  readonly authenticator?: Authenticator;
  readonly limits?: Partial<ListenLimits>;
  readonly tls?: boolean;
  readonly allowedOrigins?: readonly string[];
  readonly handlers?: Partial<Handlers>;
  /** Overrides of the MCP endpoint's dependencies. */
  readonly mcp?: Partial<McpDeps>;
}

/** The wire over stub services, on a port of its own. */
export interface WireServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:1234` */
  readonly url: string;
  /** The log so far, one object a line. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  close(graceMs: number): Promise<void>;
}

const fixture = (name: string): Buffer => readFileSync(new URL(`./__fixtures__/${name}`, import.meta.url));

/** A self-signed certificate for localhost, for tests only. */
export const LOCALHOST = { cert: fixture("localhost.crt"), key: fixture("localhost.key") };

export async function startWireServer(options: WireServerOptions = {}): Promise<WireServer> {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  const logger = pino({ base: null }, sink);
  const registry = createRegistry(
    [
      defineService(AgentService, [AgentServiceV1], options.agents ?? {}),
      defineService(SessionService, [SessionServiceV1], options.sessions ?? {}),
      defineService(Operations, [], options.operations ?? {}),
      ...(options.more ?? []),
    ],
    { clock: systemClock, logger },
  );
  const { authenticator, requests, heartbeatMs } = options;
  const deps = { logger, ...definedFields({ limits: requests, authenticator, heartbeatMs }) };
  const listener = await listen({
    host: "127.0.0.1",
    port: 0,
    logger,
    ...(options.limits && { limits: options.limits }),
    ...(options.tls && { tls: LOCALHOST }),
    ...(options.allowedOrigins && { allowedOrigins: options.allowedOrigins }),
    handlers: {
      rest: createRestHandler(registry, { ...deps, strict: options.strict ?? false }),
      connect: createConnectHandler(registry, deps),
      mcp: createMcpHandler(registry, { ...deps, version: "1.2.3", ...options.mcp }),
      ...options.handlers,
    },
  });
  return {
    port: listener.port,
    url: `http://127.0.0.1:${listener.port}`,
    lines,
    close: (graceMs) => listener.close(graceMs),
    [Symbol.asyncDispose]: () => listener.close(0),
  };
}

/** Sends raw bytes and collects the response until the server closes the connection. */
export async function rawExchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connectTcp(port, "127.0.0.1");
  socket.write(bytes);
  return readToEnd(socket);
}

export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {}); // A reset is an end too.
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}
