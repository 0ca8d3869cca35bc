import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent, type RunAnswer, say } from "./app-of-one-agent.ts";

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

/** Runs a turn of an app whose before_model callback has this body. */
async function runCallback(appId: string, body: string): Promise<RunAnswer> {
  const app = await appOfOneAgent(server, appId, {
    beforeModelCallbacks: [{ callback: { case: "pythonCode", value: `${SIGNATURE}\n    ${body}\n` } }],
  });
  return say(server, app, "bad-python", "hello");
}

/** The error of a callback that could not run, as the client gets it (CB-21). */
async function refusal(appId: string, body: string): Promise<string> {
  const { status, json } = await runCallback(appId, body);
  assert.deepEqual([status, json.error?.details?.[0]?.reason], [400, "CALLBACK_NOT_RUN"], JSON.stringify(json));
  return json.error.message;
}

describe("a callback that", () => {
  it("raises is recorded with its error and its line, and the turn continues", async () => {
    const { status, json } = await runCallback("raises", 'return callback_context.state["missing"]');
    assert.equal(status, 200, JSON.stringify(json));
    const spans = flatten(json.outputs.at(-1).diagnosticInfo.rootSpan);
    assert.ok(
      spans.some(({ name }) => name === "LLM"),
      "the model is asked as if the callback had not run",
    );
    const span = JSON.stringify(spans.find(({ name }) => name === "Callback")?.attributes);
    assert.match(span, /KeyError/);
    assert.match(span, /missing/);
  });

  it("loops for ever is ended, and the turn with it", async () => {
    assert.match(await refusal("loops-for-ever", "while True: pass"), /its 2000 ms of CPU time/);
  });

  it("eats memory is ended, and the turn with it", async () => {
    assert.match(await refusal("eats-memory", 'x = ["x" * 1_000_000 for _ in range(10_000)]'), /memory/i);
  });

  it("gets a longer text than it can take does not let it pass", async () => {
    const app = await appOfOneAgent(server, "long-text", {
      beforeModelCallbacks: [
        {
          callback: {
            case: "pythonCode",
            value: `${SIGNATURE}\n    if "bomb" in llm_request.contents[-1].parts[0].text:\n        return LlmResponse.from_parts([Part.from_text("Stopped.")])\n`,
          },
        },
      ],
    });
    const { status, json } = await say(server, app, "bad-python", `${"語".repeat(3_900_000)}bomb`);
    const passed = status === 200 ? json.outputs[0].text : json.error?.details?.[0]?.reason;
    assert.ok(["Stopped.", "CALLBACK_NOT_RUN"].includes(passed), JSON.stringify(json).slice(0, 500));
  });

  it("misbehaves leaves others undisturbed", async () => {
    const [bad, good] = await Promise.all([
      refusal("loops-again", "while True: pass"),
      say(server, EXAMPLE, "undisturbed", "Where is my order A-1001?"),
    ]);
    assert.match(bad, /its 2000 ms of CPU time/);
    assert.match(good.json.outputs[0].text, /A-1001/);
  });
});
