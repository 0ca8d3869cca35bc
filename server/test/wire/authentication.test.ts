import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { ANONYMOUS, type Caller, createLogger, systemClock } from "#base";
import { createWebSocketHandler } from "#protocols";
import { type Authenticator, type CallContext, createRegistry, defineService } from "#rpc";
import { unauthenticated } from "#status";
import { openWebSocket, WS_PATH } from "../live/web-socket-client.ts";
import { LOCALHOST, startWireServer, type WireServerOptions } from "./wire-server.ts";

const ANN: Caller = { ...ANONYMOUS, kind: "user", principal: "user:ann@example.com" };
const WORDS = "The token is not valid.";

/** Knows one token; every other one is not valid. */
const AUTHENTICATOR: Authenticator = {
  async authenticate({ headers }) {
    const header = headers.get("authorization");
    if (header === undefined) return ANONYMOUS;
    if (header === "Bearer good") return ANN;
    throw unauthenticated(WORDS, { reason: "ACCESS_TOKEN_INVALID" }, 'Bearer realm="frontdesk", error="invalid_token"');
  },
};

const text = ({ caller, peer }: CallContext) => `${caller.kind} ${caller.principal} ${peer.address}`;
const outputOf = (value: string) => ({ outputs: [{ outputType: { case: "text" as const, value } }] });

/** Methods that answer who calls. */
const SERVICES = {
  agents: { getApp: async (_request, context) => ({ displayName: text(context) }) },
  sessions: {
    streamRunSession: async function* (_request, context) {
      yield outputOf(text(context));
    },
    bidiRunSession: async function* (messages, context) {
      for await (const _message of messages)
        yield { messageType: { case: "sessionOutput", value: { outputType: { case: "text", value: text(context) } } } };
    },
  },
} as const satisfies WireServerOptions;

const serve = (options: WireServerOptions = {}) =>
  startWireServer({ authenticator: AUTHENTICATOR, ...SERVICES, ...options });

const TRANSPORTS: Readonly<Record<string, (baseUrl: string, interceptors: Interceptor[]) => Transport>> = {
  "Connect in JSON": (baseUrl, interceptors) => createConnectTransport({ baseUrl, httpVersion: "1.1", interceptors }),
  "Connect in protobuf, compressed": (baseUrl, interceptors) =>
    createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true, compressMinBytes: 1, interceptors }),
  "gRPC-Web": (baseUrl, interceptors) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1", interceptors }),
  gRPC: (baseUrl, interceptors) => createGrpcTransport({ baseUrl, interceptors }),
  "gRPC over TLS": (baseUrl, interceptors) =>
    createGrpcTransport({
      baseUrl: baseUrl.replace("http://127.0.0.1", "https://localhost"),
      interceptors,
      nodeOptions: { ca: LOCALHOST.cert },
    }),
};

/** Sends a header with each call. */
function withToken(token: string | undefined): Interceptor[] {
  if (token === undefined) return [];
  return [
    (next) => (request) => {
      request.header.set("authorization", `Bearer ${token}`);
      return next(request);
    },
  ];
}

/** The request of a stream, with a message that is worth compressing. */
const RUN = {
  config: { session: "s" },
  inputs: [{ inputType: { case: "text" as const, value: "hello ".repeat(100) } }],
};

for (const [name, transportTo] of Object.entries(TRANSPORTS)) {
  describe(`a caller over ${name}`, () => {
    it("is known to the method by its token and address, and anonymous without a token", async () => {
      await using server = await serve({ tls: true });
      for (const [token, expected] of [
        ["good", "user user:ann@example.com 127.0.0.1"],
        [undefined, "anonymous  127.0.0.1"],
      ] as const) {
        const transport = transportTo(server.url, withToken(token));
        const app = await createClient(AgentService, transport).getApp({ name: "a" });
        assert.equal(app.displayName.replace("::1", "127.0.0.1"), expected);
        for await (const { outputs } of createClient(SessionService, transport).streamRunSession(RUN))
          assert.match(String(outputs[0]?.outputType.value), new RegExp(expected.slice(0, 20)));
      }
    });

    it("is refused with the error of its token, in a unary call and in a stream, and the log has both", async () => {
      await using server = await serve({ tls: true });
      const transport = transportTo(server.url, withToken("bad"));
      const unary = await errorOf(createClient(AgentService, transport).getApp({ name: "a" }));
      const stream = createClient(SessionService, transport).streamRunSession(RUN);
      const streamed = await errorOf(stream[Symbol.asyncIterator]().next());
      for (const error of [unary, streamed]) {
        assert.deepEqual([error.code, error.rawMessage, error.details.length], [Code.Unauthenticated, WORDS, 1]);
        assert.match(error.metadata.get("www-authenticate") ?? "", /error="invalid_token"/);
      }
      assert.deepEqual(
        server.lines.map(({ code, error }) => [code, error]),
        [
          ["UNAUTHENTICATED", WORDS],
          ["UNAUTHENTICATED", WORDS],
        ],
      );
    });
  });
}

describe("a caller who is refused", () => {
  const limits = { requests: { maxBodyBytes: 100 } };
  const tooLong = JSON.stringify({ displayName: "x".repeat(1_000) });
  const cases: Readonly<Record<string, readonly [path: string, contentType: string]>> = {
    REST: ["/v1beta/projects/p/locations/us/apps", "application/json"],
    MCP: ["/mcp", "application/json"],
    Connect: ["/google.cloud.ces.v1beta.AgentService/CreateApp", "application/json"],
  };
  for (const [name, [path, contentType]] of Object.entries(cases)) {
    it(`gets 401 with a challenge over ${name} before the body is read, whatever is in it`, async () => {
      await using server = await serve(limits);
      for (const body of [tooLong, "not JSON"]) {
        const headers = { authorization: "Bearer bad", "content-type": contentType };
        const response = await fetch(server.url + path, { method: "POST", headers, body });
        const answer = await response.text();
        assert.deepEqual([response.status, answer.includes(WORDS)], [401, true]);
        assert.match(
          response.headers.get("www-authenticate") ?? "",
          /^Bearer realm="frontdesk", error="invalid_token"/,
        );
      }
    });
  }

  it("gets the close frame of UNAUTHENTICATED over WebSocket, whose address has the token", async () => {
    const logger = createLogger("silent");
    const registry = createRegistry([defineService(SessionService, [], SERVICES.sessions)], {
      clock: systemClock,
      logger,
    });
    const upgrade = createWebSocketHandler(registry, { logger, authenticator: AUTHENTICATOR });
    await using server = await serve({ handlers: { upgrade } });
    await using refused = await openWebSocket(server.url, `${WS_PATH.replace("v1.", "v1beta.")}?access_token=bad`);
    assert.deepEqual(await refused.closed, { code: 1008, reason: `generic::unauthenticated: ${WORDS}` });
    await using known = await openWebSocket(server.url, `${WS_PATH.replace("v1.", "v1beta.")}?access_token=good`);
    known.say("hi");
    assert.deepEqual(await known.next(), { sessionOutput: { text: "user user:ann@example.com 127.0.0.1" } });
  });
});

function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(() => assert.fail("it was answered"), ConnectError.from);
}
