import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent, say } from "./app-of-one-agent.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

const EXAMPLE = "projects/local/locations/us/apps/order-desk";
const SIGNATURE =
  "def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:";

interface SpanJson {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly childSpans?: readonly SpanJson[];
}

const flatten = (span: SpanJson): readonly SpanJson[] => [span, ...(span.childSpans ?? []).flatMap(flatten)];

/** Runs a turn of an app whose before_model callback has this body; answers the callback's span as JSON text. */
async function callbackSpan(appId: string, body: string): Promise<string> {
  const pythonCode = `${SIGNATURE}\n    ${body}\n`;
  const app = await appOfOneAgent(server, appId, {
    beforeModelCallbacks: [{ callback: { case: "pythonCode", value: pythonCode } }],
  });
  const { status, json } = await say(server, app, "bad-python", "hello");
  assert.equal(status, 200, JSON.stringify(json));
  const spans = flatten(json.outputs.at(-1).diagnosticInfo.rootSpan);
  assert.ok(
    spans.some(({ name }) => name === "LLM"),
    "the model is asked as if the callback had not run",
  );
  return JSON.stringify(spans.find(({ name }) => name === "Callback")?.attributes);
}

describe("a callback that", () => {
  it("raises is recorded with its error and its line, and the turn continues", async () => {
    const span = await callbackSpan("raises", 'return callback_context.state["missing"]');
    assert.match(span, /KeyError/);
    assert.match(span, /missing/);
  });

  it("loops for ever is ended and recorded", async () => {
    assert.match(await callbackSpan("loops-for-ever", "while True: pass"), /its 2000 ms of CPU time/);
  });

  it("eats memory is ended and recorded", async () => {
    assert.match(await callbackSpan("eats-memory", 'x = ["x" * 1_000_000 for _ in range(10_000)]'), /memory/i);
  });

  it("misbehaves leaves others undisturbed", async () => {
    const [bad, good] = await Promise.all([
      callbackSpan("loops-again", "while True: pass"),
      say(server, EXAMPLE, "undisturbed", "Where is my order A-1001?"),
    ]);
    assert.match(bad, /its 2000 ms of CPU time/);
    assert.match(good.json.outputs[0].text, /A-1001/);
  });
});
