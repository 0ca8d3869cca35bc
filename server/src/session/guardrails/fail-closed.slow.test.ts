import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ErrorHandlingSettings_ErrorHandlingStrategy as Strategy } from "@frontdesk/protos/ces/app";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import type { PythonOutcome, Sandbox } from "#sandbox";
import { Code, ConnectError } from "#status";
import { call, ScriptedModel, say, spoken, TEST_APP, testSandbox, testSession, toolResource } from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

type Ending = Exclude<PythonOutcome["kind"], "returned" | "raised" | "cancelled">;
const ENDINGS: readonly Ending[] = ["timeout", "out-of-memory", "violation", "crashed", "exhausted"];

const record = { output: [], durationMs: 0 };
const ended = (kind: Ending): PythonOutcome => ({ ...record, kind, message: `it was ${kind}` });
const raised = (type: string): PythonOutcome => ({
  ...record,
  kind: "raised",
  type,
  message: "",
  frames: [],
  state: { set: {}, removed: [] },
});

/** Every way in which code does not come to a result of its own. */
const OUTCOMES = [...ENDINGS.map(ended), raised("MemoryError"), raised("RecursionError")];

/** Python whose entry function ends like this; everything else runs. */
function failing(entry: string, outcome: PythonOutcome): Pick<Sandbox, "run" | "inspect"> {
  return {
    run: async (code, options) => (code.entry === entry ? outcome : sandbox.run(code, options)),
    inspect: (code) => sandbox.inspect(code),
  };
}

function attributesOf(outputs: readonly SessionOutput[], name: string): readonly JsonObject[] {
  const spans = outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans ?? [];
  return spans.flatMap((span) => (span.name === name && span.attributes ? [span.attributes as JsonObject] : []));
}

const guardedBy = (stage: string, pythonCode: string) => {
  const name = `${TEST_APP}/guardrails/g`;
  const guardrail = {
    name,
    displayName: "G",
    enabled: true,
    guardrailType: {
      case: "codeCallback" as const,
      value: { [stage]: { callback: { case: "pythonCode" as const, value: pythonCode } } },
    },
    action: { action: { case: "respondImmediately" as const, value: { responses: [{ text: "Stopped." }] } } },
  };
  return { app: { guardrails: [name] }, more: { guardrails: [guardrail] } };
};

describe("code of a guardrail that could not run", () => {
  const stages = [
    ["beforeAgentCallback", "before_agent_callback", "(c)"],
    ["beforeModelCallback", "before_model_callback", "(c, r)"],
    ["afterModelCallback", "after_model_callback", "(c, r)"],
    ["afterAgentCallback", "after_agent_callback", "(c)"],
  ] as const;
  for (const [stage, entry, parameters] of stages) {
    it(`triggers it at ${stage}, with the error in the trace`, async () => {
      for (const outcome of OUTCOMES) {
        const guarded = guardedBy(stage, `def ${entry}${parameters}: pass`);
        const model = new ScriptedModel(...(stage.startsWith("after") ? [say("Secret.")] : []));
        await using session = await testSession({
          model,
          sandbox: failing(entry, outcome),
          agents: { Root: {} },
          ...guarded,
        });
        const outputs = await session.send("Hello");
        assert.deepEqual(spoken(outputs), stage === "afterAgentCallback" ? ["Secret.", "Stopped."] : ["Stopped."]);
        const [span] = attributesOf(outputs, "Guardrail");
        assert.deepEqual([span?.triggered, span?.reason], [true, "the check failed"]);
        assert.equal(span?.error, outcome.kind === "raised" ? outcome.type : "message" in outcome && outcome.message);
      }
    });
  }
});

describe("a callback that could not run", () => {
  const stages = [
    ["beforeAgent", "before_agent", "(c)", 0],
    ["beforeModel", "before_model", "(c, r)", 0],
    ["afterModel", "after_model", "(c, r)", 1],
  ] as const;
  for (const [list, stage, parameters, calls] of stages) {
    it(`ends the turn at ${stage}, and nothing is sent or stored`, async () => {
      for (const outcome of OUTCOMES) {
        const model = new ScriptedModel(...Array<ReturnType<typeof say>>(calls).fill(say("Secret.")));
        const agents = { Root: { [list]: [`def ${stage}_callback${parameters}: pass`] } };
        await using session = await testSession({ model, sandbox: failing(`${stage}_callback`, outcome), agents });
        const code = outcome.kind === "exhausted" ? Code.ResourceExhausted : Code.FailedPrecondition;
        await assert.rejects(session.send("Hello"), (error) => {
          assert.ok(error instanceof ConnectError);
          assert.equal(error.code, code);
          assert.match(
            error.rawMessage,
            new RegExp(`^The ${stage} callback of agent 'Root' could not run \\(agents/Root/.+_01/`),
          );
          return true;
        });
        assert.equal(await session.storage.conversations.getHead(`${TEST_APP}/conversations/session-1`), undefined);
      }
    });
  }

  it("is the app's to handle, like a failure of its model, with the error in the trace", async () => {
    const app = {
      errorHandlingSettings: {
        errorHandlingStrategy: Strategy.FALLBACK_RESPONSE,
        fallbackResponseConfig: { customFallbackMessages: { "en-US": "Sorry." } },
      },
    };
    const agents = { Root: { beforeModel: ["def before_model_callback(c, r): pass"] } };
    const python = failing("before_model_callback", ended("timeout"));
    await using session = await testSession({ model: new ScriptedModel(), sandbox: python, agents, app });
    const outputs = await session.send("Hello");
    assert.deepEqual(spoken(outputs), ["Sorry."]);
    assert.equal(attributesOf(outputs, "Callback")[0]?.error, "timeout: it was timeout");
  });

  const CLICK = "def click() -> dict:\n  return {'secret': 7}\n";
  const tools = [
    {
      name: toolResource("click"),
      displayName: "click",
      toolType: { case: "pythonFunction" as const, value: { name: "click", pythonCode: CLICK } },
    },
  ];
  for (const [list, stage, parameters] of [
    ["beforeTool", "before_tool", "(t, i, c)"],
    ["afterTool", "after_tool", "(t, i, c, r)"],
  ] as const) {
    it(`gives the model an error in place of the tool's response at ${stage}`, async () => {
      for (const outcome of OUTCOMES) {
        const model = new ScriptedModel(call("click"), say("I could not."));
        const agents = { Root: { tools: ["click"], [list]: [`def ${stage}_callback${parameters}: pass`] } };
        await using session = await testSession({
          model,
          sandbox: failing(`${stage}_callback`, outcome),
          agents,
          tools,
        });
        assert.deepEqual(spoken(await session.send("Click")), ["I could not."]);
        const given = JSON.stringify(model.requests[1]?.messages.at(-1)?.parts);
        assert.match(given, new RegExp(`The ${stage} callback of agent 'Root' could not run`));
        assert.doesNotMatch(given, /secret/);
      }
    });
  }

  it("counts as not run at after_agent, where nothing is left to stop", async () => {
    const agents = { Root: { afterAgent: ["def after_agent_callback(c): pass"] } };
    const python = failing("after_agent_callback", ended("timeout"));
    await using session = await testSession({ model: new ScriptedModel(say("Hi.")), sandbox: python, agents });
    assert.deepEqual(spoken(await session.send("Hello")), ["Hi."]);
  });
});

describe("a text of any size", () => {
  const text = `${"語 ".repeat(1_900_000)}bomb`;

  it("does not get past the code of a guardrail", async () => {
    const code =
      "def before_agent_callback(c):\n  return {'decision': 'TRIGGER' if 'bomb' in c.get_last_user_input()[0].text else 'OK', 'reason': 'bomb'}";
    await using session = await testSession({
      model: new ScriptedModel(),
      sandbox,
      agents: { Root: {} },
      ...guardedBy("beforeAgentCallback", code),
    });
    assert.deepEqual(spoken(await session.send(text)), ["Stopped."]);
  });

  it("does not get past a before_model callback, to the model or into the record", async () => {
    const code =
      "def before_model_callback(c, r):\n  if 'bomb' in r.contents[-1].parts[0].text: return LlmResponse.from_parts([Part.from_text('Stopped.')])";
    const model = new ScriptedModel();
    await using session = await testSession({ model, sandbox, agents: { Root: { beforeModel: [code] } } });
    const answered = await session.send(text).then(spoken, (error) => [ConnectError.from(error).code]);
    assert.ok(["Stopped.", Code.FailedPrecondition].includes(answered[0] as string | Code), String(answered));
    assert.equal(model.requests.length, 0);
  });
});
