import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { call, ScriptedModel, say, spoken, testSandbox, testSession, toolResource } from "#testing/engine";
import { beforeAgent, beforeModel, callbackSpans, define, ECHO, updates } from "./__fixtures__/callback-app.ts";

const sandbox = testSandbox();
after(() => sandbox.close());

const beforeTool = (body: string) => define("before_tool_callback(tool, input, callback_context)", body);
const afterTool = (body: string) => define("after_tool_callback(tool, input, callback_context, tool_response)", body);

describe("before_tool_callback and after_tool_callback", () => {
  const agents = (callbacks: { beforeTool?: string[]; afterTool?: string[] }) => ({
    Root: { tools: ["echo"], ...callbacks },
  });

  async function responseOf(callbacks: { beforeTool?: string[]; afterTool?: string[] }): Promise<unknown> {
    const model = new ScriptedModel(call("echo", { text: "a" }), say("ok"));
    await using session = await testSession({ model, sandbox, agents: agents(callbacks), python: { echo: ECHO } });
    await session.send("Hi");
    const [part] = model.requests[1]?.messages.at(-1)?.parts ?? [];
    return part?.kind === "function-response" ? part.response : undefined;
  }

  it("a dict from before_tool is the result; the tool does not run", async () => {
    assert.deepEqual(
      await responseOf({ beforeTool: [beforeTool(`return {"result": "cached " + tool.name + " " + input["text"]}`)] }),
      {
        result: "cached echo a",
      },
    );
  });

  it("arguments edited in place reach the tool", async () => {
    assert.deepEqual(await responseOf({ beforeTool: [beforeTool(`input["text"] = "b"`)] }), { result: { said: "b" } });
  });

  it("a dict from after_tool replaces the result", async () => {
    assert.deepEqual(
      await responseOf({ afterTool: [afterTool(`return {"masked": tool_response["result"]["said"] == "a"}`)] }),
      {
        masked: true,
      },
    );
  });

  it("a result edited in place counts", async () => {
    assert.deepEqual(await responseOf({ afterTool: [afterTool(`tool_response["result"]["said"] = "c"`)] }), {
      result: { said: "c" },
    });
  });
});

describe("callbacks of a stage", () => {
  it("run in order; the first that overrides ends the stage; disabled ones are skipped", async () => {
    const set = (name: string, rest = "") =>
      beforeModel(`set_variable("order", get_variable("order", "") + "${name}")${rest}`);
    const override = `\nreturn LlmResponse.from_parts(parts=[Part.from_text(text=get_variable("order"))])`;
    const callback = (value: string, disabled = false) => ({
      callback: { case: "pythonCode" as const, value },
      disabled,
    });
    const beforeModelCallbacks = [
      callback(set("a")),
      callback(set("x"), true),
      callback(set("b", override)),
      callback(set("c")),
    ];
    await using session = await testSession({
      model: new ScriptedModel(),
      sandbox,
      agents: { Root: { more: { beforeModelCallbacks } } },
    });
    assert.deepEqual(spoken(await session.send("Hi")), ["ab"]);
  });

  it("see what an earlier one edited", async () => {
    const model = new ScriptedModel(say("ok"));
    const edit = (text: string) => beforeModel(`llm_request.config.system_instruction.parts[0].text += "${text}"`);
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { instruction: "0", beforeModel: [edit("1"), edit("2")] } },
    });
    await session.send("Hi");
    assert.equal(model.requests[0]?.system, "012");
  });

  it("count as not run when they raise; the trace has message, file of the package and line", async () => {
    const model = new ScriptedModel(say("Model."));
    const code = beforeModel(`set_variable("half", 1)\nreturn callback_context.variables["missing"]`);
    await using session = await testSession({ model, sandbox, agents: { "Front desk": { beforeModel: [code] } } });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Model."]);
    assert.deepEqual(updates(outputs), []);
    assert.deepEqual(callbackSpans(outputs), [
      {
        agent: "Front desk",
        stage: "before_model",
        description: "",
        error: "KeyError: 'missing'",
        frames: [
          {
            filename: "agents/Front_desk/before_model_callbacks/before_model_callbacks_01/python_code.py",
            line: 3,
            function: "before_model_callback",
            source: `return callback_context.variables["missing"]`,
          },
        ],
      },
    ]);
  });

  it("with a wrong name are named in the trace", async () => {
    const model = new ScriptedModel(say("Model."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeModel: ["def beforeModelCallback(a, b):\n  return None\n"] } },
    });
    const [span] = callbackSpans(await session.send("Hi"));
    assert.match(String(span?.error), /^NameError: the file defines no function named 'before_model_callback'/);
  });

  it("see the session: user content, events, identity", async () => {
    const model = new ScriptedModel(say("First."));
    const code = beforeModel(
      [
        `if callback_context.turn_index == 1:`,
        `  return None`,
        `texts = [part.text for event in callback_context.events for part in event.parts()]`,
        `authors = [event.author for event in callback_context.events]`,
        `said = callback_context.user_content.parts[0].text`,
        `facts = [callback_context.agent_name, callback_context.session_id, callback_context.location, callback_context.app_id]`,
        `return LlmResponse.from_parts(parts=[Part.from_text(text=str([texts, authors, said, facts]))])`,
      ].join("\n"),
    );
    await using session = await testSession({ model, sandbox, agents: { Root: { beforeModel: [code] } } });
    await session.send("one");
    await session.restart();
    assert.deepEqual(spoken(await session.send("two")), [
      "[['one', 'First.', 'two'], ['user', 'Root', 'user'], 'two', ['Root', 'session-1', 'us', 'test']]",
    ]);
  });

  it("may call the app's tools, whose state writes count", async () => {
    const tool = `def note(text: str) -> dict:\n  set_variable("noted", text)\n  return {"ok": True}\n`;
    const model = new ScriptedModel(say("ok"));
    const code = beforeAgent(`set_variable("answer", tools.note({"text": "n"}).json())`);
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeAgent: [code] } },
      python: { note: tool },
    });
    assert.deepEqual(updates(await session.send("Hi")), [{ noted: "n", answer: { result: { ok: true } } }]);
  });
});

describe("tool resources", () => {
  it("that do not load are left out and named in the trace", async () => {
    const model = new ScriptedModel(say("ok"));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["broken", "gone", "echo"] } },
      python: { broken: "def broken(:\n", echo: ECHO },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(model.requests[0]?.tools, [
      {
        name: "echo",
        description: "Repeats.",
        parameters: {
          type: "object",
          properties: { text: { type: "string", description: "what to repeat" } },
          required: ["text"],
        },
      },
    ]);
    const warnings = outputs.at(-1)?.diagnosticInfo?.rootSpan?.attributes?.warnings;
    assert.ok(Array.isArray(warnings));
    assert.match(String(warnings[0]), /^The code of tool 'broken' does not load: SyntaxError: .*\(line 1\)\.$/);
    assert.equal(warnings[1], `Tool '${toolResource("gone")}' does not exist; the agent runs without it.`);
  });
});
