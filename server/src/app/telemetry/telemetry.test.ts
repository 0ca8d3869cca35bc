import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { SpanSchema } from "@frontdesk/protos/ces/common";
import { MessageSchema } from "@frontdesk/protos/ces/example";
import { createLogger, type JsonObject } from "#base";
import type { StoredTurn } from "#session";
import { startTestServer } from "#testing";
import type { OtlpSpan } from "./otlp.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import { telemetryConfigFrom } from "./telemetry-config.ts";
import { readTraceparent } from "./trace-context.ts";
import { turnSpans } from "./turn-spans.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const APP = "projects/p/locations/us/apps/a";

function span(name: string, attributes: JsonObject) {
  const times = { startTime: { seconds: 5n, nanos: 7_000 }, endTime: { seconds: 6n } };
  return create(SpanSchema, { name, ...times, attributes });
}

function turn(more: Partial<StoredTurn> = {}): StoredTurn {
  const rootSpan = span("Turn", { agent: "Desk" });
  rootSpan.childSpans = [
    span("Guardrail", { agent: "Desk", name: "Rude", type: "contentFilter", triggered: true, reason: "said damn" }),
    span("LLM", {
      agent: "Desk",
      model: "google/gemini-2.5-flash",
      "input token count": 12,
      "output token count": 3,
      "finish reason": "stop",
      "time to first chunk (ms)": 40,
    }),
    span("Tool", { agent: "Desk", name: "find", args: { id: "A-1" }, response: { result: 1 }, error: "boom of A-1" }),
  ];
  const say = (role: string, value: string) =>
    create(MessageSchema, { role, chunks: [{ data: { case: "text", value } }] });
  return {
    session: `${APP}/sessions/s1`,
    app: APP,
    turnIndex: 2,
    source: 1,
    messages: [say("user", "Hello"), say("Desk", "Hi")],
    rootSpan,
    logged: true,
    traceparent: undefined,
    ...more,
  };
}

/** Ids that count up, so that a whole export can be compared. */
function spansOf(stored: StoredTurn, content = false): readonly OtlpSpan[] {
  let count = 0;
  return turnSpans(stored, { content, newId: (bytes) => String(++count).padStart(2 * bytes, "0") });
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const whole = (key: string, intValue: string) => ({ key, value: { intValue } });
const times = { startTimeUnixNano: "5000007000", endTimeUnixNano: "6000000000" };
const id = (count: number) => String(count).padStart(16, "0");

describe("the spans of a turn", () => {
  it("follow the conventions for generative AI, without content", () => {
    const place = { traceId: TRACE, parentSpanId: id(1), ...times };
    assert.deepEqual(spansOf(turn({ traceparent: `00-${TRACE}-${CALLER}-01` })), [
      {
        traceId: TRACE,
        spanId: id(1),
        parentSpanId: CALLER,
        name: "invoke_agent Desk",
        kind: 2,
        ...times,
        attributes: [
          text("gen_ai.operation.name", "invoke_agent"),
          text("gen_ai.provider.name", "frontdesk"),
          text("gen_ai.agent.name", "Desk"),
          text("gen_ai.conversation.id", "s1"),
          text("frontdesk.app", APP),
          whole("frontdesk.turn", "2"),
        ],
      },
      {
        ...place,
        spanId: id(2),
        name: "guardrail Rude",
        kind: 1,
        attributes: [
          text("gen_ai.agent.name", "Desk"),
          text("frontdesk.name", "Rude"),
          text("frontdesk.type", "contentFilter"),
          { key: "frontdesk.triggered", value: { boolValue: true } },
        ],
      },
      {
        ...place,
        spanId: id(3),
        name: "chat gemini-2.5-flash",
        kind: 3,
        attributes: [
          text("gen_ai.operation.name", "chat"),
          text("gen_ai.provider.name", "gcp.gemini"),
          text("gen_ai.system", "gcp.gemini"),
          text("gen_ai.request.model", "gemini-2.5-flash"),
          text("gen_ai.agent.name", "Desk"),
          whole("gen_ai.usage.input_tokens", "12"),
          whole("gen_ai.usage.output_tokens", "3"),
          { key: "gen_ai.response.finish_reasons", value: { arrayValue: { values: [{ stringValue: "stop" }] } } },
          whole("frontdesk.time_to_first_chunk_ms", "40"),
        ],
      },
      {
        ...place,
        spanId: id(4),
        name: "execute_tool find",
        kind: 1,
        attributes: [
          text("gen_ai.operation.name", "execute_tool"),
          text("gen_ai.tool.name", "find"),
          text("gen_ai.tool.type", "function"),
          text("gen_ai.agent.name", "Desk"),
          text("error.type", "_OTHER"),
        ],
        status: { code: 2 },
      },
    ]);
  });

  it("have texts, arguments and results when enabled and the conversation is logged", () => {
    const [root, guardrail, , tool] = spansOf(turn(), true);
    assert.deepEqual(root?.attributes.slice(-2), [
      text("gen_ai.input.messages", '[{"role":"user","parts":[{"type":"text","content":"Hello"}]}]'),
      text("gen_ai.output.messages", '[{"role":"assistant","name":"Desk","parts":[{"type":"text","content":"Hi"}]}]'),
    ]);
    assert.deepEqual(guardrail?.attributes.at(-1), text("frontdesk.reason", "said damn"));
    assert.deepEqual(tool?.attributes.slice(-2), [
      text("gen_ai.tool.call.arguments", '{"id":"A-1"}'),
      text("gen_ai.tool.call.result", '{"result":1}'),
    ]);
    assert.deepEqual(tool?.status, { code: 2, message: "boom of A-1" });
    assert.deepEqual(spansOf(turn({ logged: false }), true), spansOf(turn()));
  });

  it("start a trace without a caller's, and are not exported in a trace that the caller does not record", () => {
    const [root] = spansOf(turn({ traceparent: "nonsense" }));
    assert.deepEqual([root?.traceId, root?.parentSpanId], ["1".padStart(32, "0"), undefined]);
    assert.deepEqual(spansOf(turn({ traceparent: `00-${TRACE}-${CALLER}-00` })), []);
  });
});

describe("a traceparent header", () => {
  it("is parsed in its version and in later ones", () => {
    const context = { traceId: TRACE, spanId: CALLER, sampled: true };
    assert.deepEqual(readTraceparent(`00-${TRACE}-${CALLER}-01`), context);
    assert.deepEqual(readTraceparent(`cc-${TRACE}-${CALLER}-03-more`), context);
  });

  it("is ignored when it is malformed", () => {
    const malformed = [
      undefined,
      "",
      `ff-${TRACE}-${CALLER}-01`,
      `00-${TRACE}-${CALLER}-01-more`,
      `00-${"0".repeat(32)}-${CALLER}-01`,
      `00-${TRACE}-${"0".repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${CALLER}-01`,
    ];
    assert.deepEqual(
      malformed.map(readTraceparent),
      malformed.map(() => undefined),
    );
  });
});

/**
 * A fake of an OpenTelemetry collector, on loopback, for OTLP over HTTP in JSON: it keeps what it is sent and answers the next of
 * its statuses, the last one from then on.
 */
async function fakeCollector(...statuses: number[]) {
  const received: {
    path: string | undefined;
    headers: IncomingMessage["headers"];
    spans: string[];
    traces: string[];
  }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const spans: OtlpSpan[] = body.resourceSpans[0].scopeSpans[0].spans;
    const traces = [...new Set(spans.map(({ traceId }) => traceId))];
    received.push({ path: request.url, headers: request.headers, spans: spans.map(({ name }) => name), traces });
    response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/v1/traces`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const named = (...names: string[]) =>
  spansOf(turn())
    .slice(0, 1)
    .flatMap((each) => names.map((name) => ({ ...each, name })));
const exporterFor = (url: string, more: { maxQueueSize?: number; delayMs?: number } = {}) =>
  createOtlpExporter({
    url,
    headers: { "x-key": "secret" },
    serviceName: "desk",
    serviceVersion: "1",
    logger: createLogger("silent"),
    delayMs: 1,
    ...more,
  });

describe("the export of spans", () => {
  it("sends the added spans, with the operator's headers, at the latest on close", async () => {
    await using collector = await fakeCollector(200);
    const exporter = exporterFor(collector.url, { delayMs: 60_000 });
    exporter.add(named("a"));
    exporter.add(named("b"));
    await exporter.close();
    const [first] = collector.received;
    assert.deepEqual(
      [collector.received.length, first?.path, first?.headers["x-key"], first?.spans],
      [1, "/v1/traces", "secret", ["a", "b"]],
    );
  });

  it("retries what an overloaded collector did not accept", async () => {
    await using collector = await fakeCollector(503, 200);
    const exporter = exporterFor(collector.url);
    exporter.add(named("a"));
    while (collector.received.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await exporter.close();
    assert.deepEqual(
      collector.received.map(({ spans }) => spans),
      [["a"], ["a"]],
    );
  });

  it("drops what a collector rejects, and continues", async () => {
    await using collector = await fakeCollector(400, 200);
    const exporter = exporterFor(collector.url, { delayMs: 60_000 });
    exporter.add(named(...Array.from({ length: 513 }, (_each, at) => String(at))));
    await exporter.close();
    assert.deepEqual(
      collector.received.map(({ spans }) => spans.length),
      [512, 1],
    );
  });

  it("queues a bounded number of spans and drops the rest", async () => {
    await using collector = await fakeCollector(200);
    const exporter = exporterFor(collector.url, { maxQueueSize: 2, delayMs: 60_000 });
    exporter.add(named("a", "b", "c"));
    exporter.add(named("d"));
    await exporter.close();
    assert.deepEqual(
      collector.received.map(({ spans }) => spans),
      [["a", "b"]],
    );
  });

  it("closes although the collector is unreachable", async () => {
    const exporter = exporterFor("http://127.0.0.1:1/v1/traces");
    exporter.add(named("a"));
    await exporter.close();
  });
});

describe("the settings of OpenTelemetry", () => {
  it("come from its own variables", () => {
    assert.equal(telemetryConfigFrom({}), undefined);
    assert.equal(
      telemetryConfigFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" }),
      undefined,
    );
    assert.deepEqual(
      telemetryConfigFrom({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/",
        OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20YQ==, x-team=desk",
        OTEL_SERVICE_NAME: "support",
        FRONTDESK_OTEL_CONTENT: "1",
      }),
      {
        url: "http://c:4318/v1/traces",
        headers: { authorization: "Basic YQ==", "x-team": "desk" },
        serviceName: "support",
        content: true,
      },
    );
    const own = telemetryConfigFrom({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://c/traces" });
    assert.deepEqual(own, { url: "https://c/traces", headers: {}, serviceName: "frontdesk", content: false });
  });

  it("are rejected by name when they are invalid", () => {
    assert.throws(
      () => telemetryConfigFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: "c:4318" }),
      /OTEL_EXPORTER_OTLP_ENDPOINT is no http or https address/,
    );
    assert.throws(
      () => telemetryConfigFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:PLANTED@[c" }),
      ({ message }: Error) => !message.includes("PLANTED"),
    );
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c" };
    assert.throws(
      () => telemetryConfigFrom({ ...base, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
      /OTEL_EXPORTER_OTLP_PROTOCOL/,
    );
    assert.throws(
      () => telemetryConfigFrom({ ...base, OTEL_EXPORTER_OTLP_HEADERS: "secret" }),
      /OTEL_EXPORTER_OTLP_HEADERS/,
    );
  });
});

describe("a server with a collector", () => {
  it("exports the turns of a caller's trace as part of it, and delays no turn when the collector fails", async () => {
    await using collector = await fakeCollector(500);
    const telemetry = { url: collector.url, headers: {}, serviceName: "desk", content: false };
    const server = await startTestServer({ example: true, config: { telemetry } });
    const session = "projects/local/locations/us/apps/order-desk/sessions/traced";
    const response = await fetch(`${server.address}/v1beta/${session}:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent: `00-${TRACE}-${CALLER}-01` },
      body: JSON.stringify({ config: { session }, inputs: [{ text: "hello" }] }),
    });
    const { outputs } = (await response.json()) as { outputs: { turnCompleted?: boolean }[] };
    await server[Symbol.asyncDispose]();
    assert.deepEqual([response.status, outputs.at(-1)?.turnCompleted], [200, true]);
    const [first] = collector.received;
    assert.match(first?.spans[0] ?? "", /^invoke_agent /);
    assert.deepEqual(first?.traces, [TRACE]);
  });
});
