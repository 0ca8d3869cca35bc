import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { Image } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";
import { call, ScriptedModel, say, spoken, testSandbox, testSession, toolResource } from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

const python = (name: string, body: string, more = {}) => ({
  name: toolResource(name),
  displayName: name,
  ...more,
  toolType: { case: "pythonFunction" as const, value: { name, pythonCode: `def ${name}() -> dict:\n  ${body}\n` } },
});

/** What an after_agent callback sees of the session's events: the named attributes of each. */
const seen = (attributes: string) => `def after_agent_callback(callback_context):
  callback_context.variables["seen"] = [${attributes} for e in callback_context.events]
`;

describe("an event in user Python (PY-15)", () => {
  it("has its branch, its errors, its calls that take longer, and whether the turn goes on after it", async () => {
    const tools = [
      python("fail", "raise ValueError('no')"),
      python("later", "return {}", { executionType: ExecutionType.ASYNCHRONOUS }),
    ];
    const model = new ScriptedModel(
      call("transfer_to_agent", { agent_name: "Child" }),
      [...call("fail"), ...call("later", {}, "call-later")],
      say("Done."),
    );
    const code = seen(
      "[e.branch, e.turn_complete, e.partial, e.interrupted, sorted(e.long_running_tool_ids), e.error_code, e.has_error()]",
    );
    const agents = { Root: { children: ["Child"] }, Child: { tools: ["fail", "later"], afterAgent: [code] } };
    await using session = await testSession({ model, sandbox, agents, tools, variables: { seen: null } });
    const outputs = await session.send("Hello");
    assert.deepEqual(seenIn(outputs), [
      [null, true, false, false, [], null, false],
      ["Root", false, false, false, [], null, false],
      ["Root.Child", false, false, false, ["call-later"], null, false],
      ["Root.Child", false, false, false, [], "TOOL_ERROR", true],
      ["Root.Child", true, false, false, [], null, false],
    ]);
  });

  it("has the message of a tool's error, and the actions of an end of the session", async () => {
    const model = new ScriptedModel(call("fail"), call("end_session", { session_escalated: "true" }));
    const code = seen("[e.error_message, e.actions.end_invocation, e.actions.escalate]");
    const agents = { Root: { tools: ["fail", "end_session"], afterAgent: [code] } };
    const tools = [python("fail", "raise ValueError('no')")];
    await using session = await testSession({ model, sandbox, agents, tools, variables: { seen: null } });
    const error =
      "Python function execution failed: ValueError: no (tools/fail/python_function/python_code.py, line 2)";
    assert.deepEqual(seenIn(await session.send("Hello")), [
      [null, null, null],
      [null, null, null],
      [error, null, null],
      [null, true, true],
      [null, null, null],
    ]);
  });

  it("has what was recognised as the transcript of a blob, and the model has it as text", async () => {
    const code = `def before_model_callback(callback_context, llm_request):
  part = callback_context.get_last_user_input()[0]
  own = callback_context.user_content.parts[0]
  given = llm_request.contents[-1].parts[0].text
  return LlmResponse.from_parts([Part.from_text(f"{part.text} {part.inline_data.transcript()} {own.text_or_transcript()} {given}")])
`;
    await using session = await testSession({
      model: new ScriptedModel(),
      sandbox,
      agents: { Root: { beforeModel: [code] } },
    });
    const voice = { spoken: true, spans: [], spokenSpans: async () => [] };
    assert.deepEqual(spoken(await session.send("hello", { voice })), ["None hello hello hello"]);
  });
});

describe("an LlmRequest in user Python (PY-16)", () => {
  it("names the model that will run, and an edit of it another one", async () => {
    const code = (edit: string) => `def before_model_callback(callback_context, llm_request):
  callback_context.variables["seen"] = llm_request.model
${edit}`;
    for (const [edit, asked] of [
      ["", "the-alias"],
      ["  llm_request.model = llm_request.model\n", "the-alias"],
      ["  llm_request.model = 'another'\n", "another"],
    ] as const) {
      const model = new ScriptedModel(say("Hi."));
      const names: string[] = [];
      const resolve = (name: string) => {
        names.push(name);
        return model;
      };
      const Root = { beforeModel: [code(edit)], more: { modelSettings: { model: "the-alias" } } };
      await using session = await testSession({
        model,
        sandbox,
        agents: { Root },
        variables: { seen: null },
        engine: { models: { resolve } },
      });
      assert.equal(seenIn(await session.send("Hello")), "scripted");
      assert.equal(names.at(-1), asked);
    }
  });
});

describe("an image in an answer (CB-22)", () => {
  const image = `Part.from_inline_data(b"png", "image/png")`;
  const stages = {
    beforeAgent: `def before_agent_callback(c):\n  return Content(parts=[${image}], role="model")`,
    beforeModel: `def before_model_callback(c, r):\n  return LlmResponse.from_parts([${image}])`,
    afterModel: `def after_model_callback(c, r):\n  return LlmResponse.from_parts([${image}])`,
    afterAgent: `def after_agent_callback(c):\n  return Content(parts=[${image}], role="model")`,
  };
  it("of another type is a payload", async () => {
    const code = `def before_model_callback(c, r):\n  return LlmResponse.from_parts([Part.from_inline_data(b"gif", "image/gif")])`;
    const agents = { Root: { beforeModel: [code] } };
    await using session = await testSession({ model: new ScriptedModel(), sandbox, agents });
    const value = { inlineData: { mimeType: "image/gif", data: "Z2lm" } };
    assert.deepEqual(spoken(await session.send("Hello")).at(-1), { case: "payload", value });
  });

  for (const [stage, code] of Object.entries(stages)) {
    it(`of ${stage} reaches the client as an image and the record as a blob`, async () => {
      const model = new ScriptedModel(...(stage.startsWith("after") ? [say("Hi.")] : []));
      await using session = await testSession({ model, sandbox, agents: { Root: { [stage]: [code] } } });
      const outputs = await session.send("Hello");
      const image = outputs.find(({ outputType }) => outputType.case === "image")?.outputType.value as Image;
      assert.deepEqual([image.mimeType, Buffer.from(image.data).toString()], ["image/png", "png"]);
      assert.equal(outputs.at(-1)?.diagnosticInfo?.messages.at(-1)?.chunks[0]?.data.case, "blob");
    });
  }
});

/** What the code put into the variable `seen`. */
function seenIn(outputs: Awaited<ReturnType<Awaited<ReturnType<typeof testSession>>["send"]>>): unknown {
  const chunks = outputs.at(-1)?.diagnosticInfo?.messages.flatMap((message) => message.chunks) ?? [];
  const updates = chunks.flatMap(({ data }) => (data.case === "updatedVariables" ? [data.value as JsonObject] : []));
  return updates.at(-1)?.seen;
}
