import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import {
  agentName,
  call,
  type GuardrailType,
  guarded,
  guardrailSpans,
  POLITICS,
  policy,
  type ScriptedAnswer,
  ScriptedModel,
  STOP,
  say,
  spoken,
  TEST_APP,
  testSandbox,
  testSession,
  toolResource,
  verdict,
} from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

describe("a code guardrail", () => {
  const code = (stage: string, body: string): GuardrailType => ({
    case: "codeCallback",
    value: { [stage]: { callback: { case: "pythonCode", value: body } } },
  });
  const judged = async (type: GuardrailType, ...answers: readonly ScriptedAnswer[]) => {
    await using session = await testSession({
      model: new ScriptedModel(...answers),
      sandbox,
      agents: { Root: {} },
      ...guarded(type),
    });
    const outputs = await session.send("the word is pumpkin");
    return [
      spoken(outputs),
      guardrailSpans(outputs)?.map((span) => [span?.type, span?.triggered, span?.reason ?? span?.error]),
    ];
  };

  it("judges before the agent is called", async () => {
    const body = `def before_agent_callback(ctx):
  text = ctx.get_last_user_input()[0].text
  return {'decision': 'TRIGGER' if 'pumpkin' in text else 'OK', 'reason': 'pumpkin'}`;
    assert.deepEqual(await judged(code("beforeAgentCallback", body)), [
      ["Stopped."],
      [["codeCallback", true, "pumpkin"]],
    ]);
  });

  it("finds what the user says after a widget as the first part and the last, and its own file in tracebacks (GUARD-34)", async () => {
    const body = `def before_agent_callback(ctx):
  parts = ctx.get_last_user_input()
  text = parts[0].text
  assert parts[-1].text == text and 'crash' not in text
  return {'decision': 'TRIGGER' if 'pumpkin' in text else 'OK', 'reason': 'pumpkin'}`;
    await using session = await testSession({
      model: new ScriptedModel(call("show"), call("show")),
      sandbox,
      agents: { Root: { tools: ["show"] } },
      tools: [
        {
          name: toolResource("show"),
          displayName: "show",
          toolType: { case: "widgetTool", value: { name: "show" } },
        },
      ],
      ...guarded(code("beforeAgentCallback", body)),
    });
    await session.send("show me");
    const crashed = await session.send("crash");
    const [span] = guardrailSpans(crashed) ?? [];
    assert.match(
      JSON.stringify(span?.frames),
      /"guardrails\/[^/]+\/code_callback\/before_agent_callback\/python_code\.py"/,
    );
    assert.deepEqual(spoken(await session.send("the word is pumpkin")), ["Stopped."]);
  });

  it("keeps what it stopped before the first model call of a turn from agents in later turns, too (GUARD-30)", async () => {
    const before = `def before_model_callback(ctx, llm_request):
  last = llm_request.contents[-1].parts[-1].text or ''
  return {'decision': 'TRIGGER' if 'pumpkin' in last else 'OK', 'reason': last}`;
    const model = new ScriptedModel(call("look"), say("Late."), say("Hello."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: {} },
      ...guarded(code("beforeModelCallback", before)),
    });
    assert.deepEqual(spoken(await session.send("the word is pumpkin")), ["Stopped."]);
    await session.send("seen");
    await session.send("And now?");
    const told = model.requests
      .at(-1)
      ?.messages.flatMap(({ parts }) => parts.map((part) => "text" in part && part.text));
    assert.deepEqual(told, [
      "<context>a guardrail blocked the message of the user.</context>",
      ...["Stopped.", "seen", false, false, "Late.", "And now?"],
    ]);
  });

  it("judges the request to the model and the model's answer", async () => {
    const before = `def before_model_callback(ctx, llm_request):
  return {'decision': 'TRIGGER', 'reason': llm_request.contents[-1].parts[0].text}`;
    assert.deepEqual(await judged(code("beforeModelCallback", before)), [
      ["Stopped."],
      [["codeCallback", true, "the word is pumpkin"]],
    ]);
    const behind = `def after_model_callback(ctx, llm_response):
  return {'decision': 'TRIGGER', 'reason': llm_response.content.parts[0].text}`;
    assert.deepEqual(await judged(code("afterModelCallback", behind), say("Said.")), [
      ["Stopped."],
      [["codeCallback", true, "Said."]],
    ]);
  });

  it("judges after the agent, beside what was sent already", async () => {
    const body = "def after_agent_callback(ctx):\n  return {'decision': 'TRIGGER', 'reason': 'late'}";
    assert.deepEqual(await judged(code("afterAgentCallback", body), say("Said.")), [
      ["Said.", "Stopped."],
      [["codeCallback", true, "late"]],
    ]);
  });

  it("that decides nothing, or fails, lets pass with the reason in the trace", async () => {
    assert.deepEqual(await judged(code("beforeAgentCallback", "def before_agent_callback(c): return 7"), say("Ok.")), [
      ["Ok."],
      [["codeCallback", false, "returned int without a decision of OK or TRIGGER; taken as OK"]],
    ]);
    assert.deepEqual(await judged(code("beforeAgentCallback", "def before_agent_callback(c): {}['x']"), say("Ok.")), [
      ["Ok."],
      [["codeCallback", false, "KeyError: 'x'"]],
    ]);
  });
});

describe("a guardrail of one agent", () => {
  it("judges the same input when that agent gains control, once a turn", async () => {
    const name = `${TEST_APP}/guardrails/child`;
    const model = new ScriptedModel(call("transfer_to_agent", { agent_name: "Child" }), verdict(true), say("unused"));
    await using session = await testSession({
      model,
      agents: { Root: { children: ["Child"] }, Child: { more: { guardrails: [name] } } },
      more: { guardrails: [{ name, displayName: "Child's", enabled: true, guardrailType: policy(), action: STOP }] },
    });
    assert.deepEqual(spoken(await session.send(POLITICS)), ["Stopped."]);
  });

  it("may transfer to an agent whose guardrails do not judge the same input again", async () => {
    const model = new ScriptedModel(verdict(true), say("unused"), say("Security."));
    await using session = await testSession({
      model,
      agents: { Root: {}, Security: {} },
      ...guarded(policy(), { action: { case: "transferAgent", value: { agent: agentName("Security") } } }),
    });
    assert.deepEqual(spoken(await session.send(POLITICS)), ["Security."]);
  });
});
