import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fromBinary, type JsonObject } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { SessionService as SessionsV1 } from "@frontdesk/protos/ces-v1/session_service";
import { BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";
import { createLogger, systemClock } from "#base";
import { createWebSocketHandler } from "#protocols";
import { createRegistry, defineService } from "#rpc";
import { Code } from "#status";
import { openWebSocket } from "../live/web-socket-client.ts";
import { APP, type ErrorAnswer, json, post } from "./rest-requests.ts";
import { startWireServer, type WireServer } from "./wire-server.ts";

const SESSION = `${APP}/sessions/s`;
let reached = 0;
let server: WireServer;
before(async () => {
  const runSession = async () => {
    reached++;
    return {};
  };
  const bidi = defineService(SessionService, [SessionsV1], {
    bidiRunSession: async function* (messages) {
      for await (const _ of messages) yield {};
    },
  });
  const logger = createLogger("silent");
  const upgrade = createWebSocketHandler(createRegistry([bidi], { clock: systemClock, logger }), { logger });
  server = await startWireServer({
    agents: { createApp: runSession },
    sessions: { runSession },
    handlers: { upgrade },
  });
});
after(() => server[Symbol.asyncDispose]());

const FIELD = 'inputs[0].variables["list"][1]["deep"]';
const PROBLEM = "Infinity is not a number of JSON: values of google.protobuf.Value are finite.";
const TEXT = `{"config":{"session":"${SESSION}"},"inputs":[{"variables":{"fine":1.5,"list":[0,{"deep":1e400}]}}]}`;

/** The fields that are wrong in an answer over JSON. */
const fieldsOf = ({ error }: ErrorAnswer) => error.details?.[0]?.fieldViolations;

describe("a number beyond those of JSON in a value (struct.proto)", () => {
  const wanted = [{ field: FIELD, description: PROBLEM }];

  it("is refused over REST", async () => {
    const { status, body } = await json<ErrorAnswer>(`${server.url}/v1beta/${SESSION}:runSession`, post(TEXT));
    assert.deepEqual([status, fieldsOf(body)], [400, wanted]);
  });

  it("is refused over Connect in JSON", async () => {
    const url = `${server.url}/google.cloud.ces.v1.SessionService/RunSession`;
    const { status, body } = await json<{ code: string; details: { value: string }[] }>(url, post(TEXT));
    const details = Buffer.from(body.details[0]?.value ?? "", "base64");
    const { fieldViolations } = fromBinary(BadRequestSchema, details);
    assert.deepEqual([status, body.code, fieldViolations[0]?.field], [400, "invalid_argument", FIELD]);
  });

  it("is refused over MCP", async () => {
    const { body } = await json<{ result: JsonObject }>(
      `${server.url}/mcp`,
      post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_session","arguments":${TEXT}}}`),
    );
    assert.equal(body.result.isError, true);
    assert.match(JSON.stringify(body.result), /inputs\[0\]\.variables/);
  });

  it("is refused over WebSocket", async () => {
    await using client = await openWebSocket(server.url);
    client.raw('{"realtimeInput":{"variables":{"a":-1e400}}}');
    const { code, reason } = await client.closed;
    assert.equal(code, 1007);
    assert.match(reason, /realtime_input\.variables\["a"\]: -Infinity/);
  });

  const transports: Readonly<Record<string, Transport>> = {};
  before(() =>
    Object.assign(transports, {
      gRPC: createGrpcTransport({ baseUrl: server.url }),
      "gRPC-Web": createGrpcWebTransport({ baseUrl: server.url, httpVersion: "1.1" }),
      "Connect in protobuf": createConnectTransport({ baseUrl: server.url, httpVersion: "1.1", useBinaryFormat: true }),
    }),
  );
  const ran = (x: number) => (transport: Transport) =>
    createClient(SessionService, transport).runSession({
      config: { session: SESSION },
      inputs: [{ inputType: { case: "variables", value: { fine: null, x } } }],
    });
  const declared = (kind: Value["kind"]) => (transport: Transport) =>
    createClient(AgentService, transport).createApp({
      parent: "projects/p/locations/us",
      app: {
        displayName: "A",
        variableDeclarations: [{ name: "v", schema: { default: { $typeName: ValueSchema.typeName, kind } } }],
      },
    });
  const DEFAULT = "app.variable_declarations[0].schema.default";
  for (const name of ["gRPC", "gRPC-Web", "Connect in protobuf"]) {
    for (const [what, field, call] of [
      ["NaN in an object", 'inputs[0].variables["x"]', ran(Number.NaN)],
      ["-Infinity in an object", 'inputs[0].variables["x"]', ran(Number.NEGATIVE_INFINITY)],
      ["NaN as a value", DEFAULT, declared({ case: "numberValue", value: Number.NaN })],
      ["a value of no kind", DEFAULT, declared({ case: undefined })],
    ] as const) {
      it(`is refused over ${name}: ${what}`, async () => {
        const error = await call(transports[name] as Transport).then(
          () => assert.fail("it was answered"),
          ConnectError.from,
        );
        const [details] = error.findDetails(BadRequestSchema);
        assert.deepEqual([error.code, details?.fieldViolations[0]?.field], [Code.InvalidArgument, field]);
      });
    }
  }

  it("reaches no method", () => assert.equal(reached, 0));
});

describe("two members of a oneof", () => {
  const text = `{"config":{"session":"${SESSION}"},"inputs":[{"text":"a"},{"text":"b","dtmf":"1","event":null}]}`;

  for (const revision of ["v1", "v1beta"])
    it(`are refused by the name of the second, and nothing of the definition's: ${revision}`, async () => {
      const { status, body } = await json<ErrorAnswer>(`${server.url}/${revision}/${SESSION}:runSession`, post(text));
      const description = "'text' is set, too: send one of 'text' and 'dtmf'.";
      assert.deepEqual([status, fieldsOf(body)], [400, [{ field: "inputs[1].dtmf", description }]]);
    });

  it("are refused over WebSocket with both names in the reason", async () => {
    await using client = await openWebSocket(server.url);
    client.raw('{"realtimeInput":{"text":"b","dtmf":"1"}}');
    const { code, reason } = await client.closed;
    assert.equal(code, 1007);
    assert.match(reason, /realtime_input\.dtmf: 'text' is set, too: send one of 'text' and 'dtmf'\./);
  });
});
