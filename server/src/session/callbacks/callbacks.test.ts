import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { agentName, call, ScriptedModel, say, spoken, testSandbox, testSession } from "#testing/engine";
import { beforeAgent, beforeModel, callbackSpans, define, ECHO, spans, updates } from "./__fixtures__/callback-app.ts";

const sandbox = testSandbox();
after(() => sandbox.close());

const afterModel = (body: string) => define("after_model_callback(callback_context, llm_response)", body);

const afterAgent = (body: string) => define("after_agent_callback(callback_context)", body);

describe("before_agent_callback", () => {
  it("that returns nothing lets the agent run, its state writes recorded", async () => {
    const model = new ScriptedModel(say("Hello."));
    const code = beforeAgent(`callback_context.variables["visits"] = callback_context.variables["visits"] + 1`);
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeAgent: [code] } },
      variables: { visits: 0 },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Hello."]);
    assert.deepEqual(updates(outputs), [{ visits: 1 }]);
  });

  it("that returns a Content answers in the agent's place", async () => {
    const code = beforeAgent(`return Content(parts=[Part.from_text(text="Closed today.")], role="model")`);
    await using session = await testSession({
      model: new ScriptedModel(),
      sandbox,
      agents: { Root: { beforeAgent: [code] } },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Closed today."]);
    assert.deepEqual(callbackSpans(outputs), [
      { agent: "Root", stage: "before_agent", description: "", overrides: true },
    ]);
  });

  it("runs on every turn and again for the agent that is transferred to", async () => {
    const model = new ScriptedModel(call("transfer_to_agent", { agent_name: "Child" }), say("Yes?"), say("Again."));
    const count = (name: string) => beforeAgent(`set_variable("${name}", get_variable("${name}", 0) + 1)`);
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { children: ["Child"], beforeAgent: [count("root")] }, Child: { beforeAgent: [count("child")] } },
    });
    assert.deepEqual(updates(await session.send("a")), [{ root: 1 }, { child: 1 }]);
    assert.deepEqual(updates(await session.send("b")), [{ child: 2 }]);
  });

  it("that transfers before the model is called sends its text first", async () => {
    const model = new ScriptedModel(say("Child here."));
    const code = beforeAgent(
      `return Content(parts=[Part.from_text(text="One moment."), Part.from_agent_transfer(agent="Child")], role="model")`,
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { children: ["Child"], beforeAgent: [code] }, Child: {} },
    });
    assert.deepEqual(spoken(await session.send("Hi")), ["One moment.", "Child here."]);
  });
});

describe("a callback that decides like a guardrail", () => {
  it("goes on with OK, without an error in the trace; what it cannot decide is one", async () => {
    const decide = (decision: string) => `return {"decision": "${decision}"}`;
    for (const decision of ["OK", "ok", "TRIGGER"]) {
      const body = decide(decision);
      const Root = {
        beforeAgent: [beforeAgent(body)],
        beforeModel: [beforeModel(body)],
        afterModel: [afterModel(body)],
        afterAgent: [afterAgent(body)],
      };
      await using session = await testSession({ model: new ScriptedModel(say("Hello.")), sandbox, agents: { Root } });
      const outputs = await session.send("Hi");
      assert.deepEqual(spoken(outputs), ["Hello."]);
      const error = decision === "TRIGGER" ? "returned dict, which this stage cannot use; ignored" : undefined;
      assert.deepEqual(
        callbackSpans(outputs).map((span) => [span.stage, span.error]),
        ["before_agent", "before_model", "after_model", "after_agent"].map((stage) => [stage, error]),
      );
    }
  });
});

describe("after_agent_callback", () => {
  it("adds its content to the answer; the inner agent's comes first", async () => {
    const model = new ScriptedModel(call("transfer_to_agent", { agent_name: "Child" }), say("Answer."));
    const add = (text: string) => afterAgent(`return Content(parts=[Part.from_text(text="${text}")], role="model")`);
    await using session = await testSession({
      model,
      sandbox,
      agents: {
        Root: { children: ["Child"], afterAgent: [add("root done")] },
        Child: { afterAgent: [add("child done")] },
      },
    });
    assert.deepEqual(spoken(await session.send("Hi")), ["Answer.", "child done", "root done"]);
  });
});

describe("before_model_callback", () => {
  it("that returns text ends the turn without a model call", async () => {
    const code = beforeModel(
      `parts = callback_context.get_last_user_input()\nif parts and parts[0].text == "<event>session start</event>":\n  return LlmResponse.from_parts(parts=[Part.from_text(text="Welcome!")])`,
    );
    await using session = await testSession({
      model: new ScriptedModel(),
      sandbox,
      agents: { Root: { beforeModel: [code] } },
    });
    const outputs = await session.send([{ case: "event", value: { event: "welcome" } }]);
    assert.deepEqual(spoken(outputs), ["Welcome!"]);
    assert.deepEqual(
      spans(outputs).map(({ name }) => name),
      ["Callback"],
    );
  });

  it("that returns nothing to say ends the turn in silence, and the trace names it (TURN-73)", async () => {
    const silent = (parts: string) => `return LlmResponse.from_parts(parts=${parts})`;
    for (const [stage, agent, model] of [
      ["before_model", { beforeModel: [beforeModel(silent("[]"))] }, new ScriptedModel()],
      [
        "after_model",
        { afterModel: [afterModel(silent('[Part.from_text(text="")]'))] },
        new ScriptedModel(say("Hello.")),
      ],
    ] as const) {
      await using session = await testSession({ model, sandbox, agents: { Root: agent } });
      const outputs = await session.send("Hi");
      assert.ok(outputs.every(({ outputType }) => outputType.case === undefined));
      assert.deepEqual(outputs.at(-1)?.diagnosticInfo?.rootSpan?.attributes?.warnings, [
        `The ${stage} callback of agent 'Root' left an LlmResponse without anything to say, so the turn ended there.`,
      ]);
    }
  });

  it("with partial=True sends its content first and then calls the model", async () => {
    const model = new ScriptedModel(say("Here is your balance."));
    const code = beforeModel(
      `response = LlmResponse.from_parts(parts=[Part.from_text(text="One moment.")])\nresponse.partial = True\nreturn response`,
    );
    await using session = await testSession({ model, sandbox, agents: { Root: { beforeModel: [code] } } });
    assert.deepEqual(spoken(await session.send("Balance")), ["One moment.", "Here is your balance."]);
  });

  it("with partial=True and a function call says its words, makes the call, and begins the next step (CB-12)", async () => {
    const model = new ScriptedModel(say("All checked."));
    const code = beforeModel(
      `step = get_variable("step", 0)\nset_variable("step", step + 1)\nif step < 2:\n  response = LlmResponse.from_parts(parts=[Part.from_text(text=f"Finding {step}."), Part.from_function_call(name="echo", args={"text": str(step)})])\n  response.partial = True\n  response.turn_complete = False\n  return response`,
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeModel: [code], tools: ["echo"] } },
      python: { echo: ECHO },
    });
    assert.deepEqual(spoken(await session.send("Check")), ["Finding 0.", "Finding 1.", "All checked."]);
    const parts = model.requests[0]?.messages.flatMap((message) => message.parts) ?? [];
    assert.deepEqual(
      parts.flatMap((part) => (part.kind === "function-response" ? [part.response] : [])),
      [{ result: { said: "0" } }, { result: { said: "1" } }],
    );
  });

  it("that returns a function call has it executed and the model called with its result", async () => {
    const model = new ScriptedModel(say("Done."));
    const code = beforeModel(
      `if not get_variable("asked"):\n  set_variable("asked", True)\n  return LlmResponse.from_parts(parts=[Part.from_function_call(name="echo", args={"text": "x"})])`,
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeModel: [code], tools: ["echo"] } },
      python: { echo: ECHO },
    });
    assert.deepEqual(spoken(await session.send("Hi")), ["Done."]);
    assert.deepEqual(model.requests[0]?.messages.at(-1)?.parts, [
      { kind: "function-response", id: "adk-id-2", name: "echo", response: { result: { said: "x" } } },
    ]);
  });

  it("may edit the request in place: instruction, contents, tools", async () => {
    const model = new ScriptedModel(say("ok"));
    const code = beforeModel(
      [
        `llm_request.config.system_instruction.parts[0].text += " Be brief."`,
        `llm_request.contents.append(Content(parts=[Part.from_text(text="(note)")], role="user"))`,
        `llm_request.config.hide_tool("echo")`,
      ].join("\n"),
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { instruction: "Be kind.", beforeModel: [code], tools: ["echo", "end_session"] } },
      python: { echo: ECHO },
    });
    await session.send("Hi");
    const [request] = model.requests;
    assert.equal(request?.system, "Be kind. Be brief.");
    assert.deepEqual(
      request?.messages.map(({ role, parts }) => [role, ...parts.map((part) => "text" in part && part.text)]),
      [
        ["user", "Hi"],
        ["user", "(note)"],
      ],
    );
    assert.deepEqual(
      request?.tools.map(({ name }) => name),
      ["end_session"],
    );
  });

  it("takes a dict whose parts have the API's camelCase keys", async () => {
    const model = new ScriptedModel(say("Done."));
    const code = beforeModel(`if not callback_context.parts()[-1].function_response:
  parts = [{"text": "A moment."}, {"functionCall": {"name": "echo", "args": {"word": "hi"}}}]
  return {"content": {"role": "model", "parts": parts + [{"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}}]}}`);
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeModel: [code], tools: ["echo"] } },
      python: { echo: "def echo(word: str) -> str:\n  return word\n" },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(
      outputs.map(({ outputType }) => outputType.case),
      ["text", "image", "text"],
    );
    assert.deepEqual(model.requests[0]?.messages.at(-1)?.parts.at(-1), {
      kind: "function-response",
      id: "adk-id-2",
      name: "echo",
      response: { result: "hi" },
    });
  });

  it("takes a Content or a dict of the right shape for the response it means", async () => {
    const content = beforeModel(`return Content(parts=[Part.from_text(text="from content")], role="model")`);
    const dict = beforeModel(`return {"content": {"role": "model", "parts": [{"text": "from dict"}]}}`);
    for (const [code, text] of [
      [content, "from content"],
      [dict, "from dict"],
    ] as const) {
      await using session = await testSession({
        model: new ScriptedModel(),
        sandbox,
        agents: { Root: { beforeModel: [code] } },
      });
      assert.deepEqual(spoken(await session.send("Hi")), [text]);
    }
  });

  it("that returns something else is ignored, with an error in the trace", async () => {
    const model = new ScriptedModel(say("Model."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeModel: [beforeModel(`return "text"`)] } },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Model."]);
    assert.deepEqual(callbackSpans(outputs), [
      {
        agent: "Root",
        stage: "before_model",
        description: "",
        error: "returned str, which this stage cannot use; ignored",
        file: "agents/Root/before_model_callbacks/before_model_callbacks_01/python_code.py",
      },
    ]);
  });

  it("runs for every model call of the turn", async () => {
    const model = new ScriptedModel(call("echo", { text: "a" }), say("ok"));
    const code = beforeModel(`set_variable("calls", get_variable("calls", 0) + 1)`);
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { beforeModel: [code], tools: ["echo"] } },
      python: { echo: ECHO },
    });
    assert.deepEqual(updates(await session.send("Hi")), [{ calls: 1 }, { calls: 2 }]);
  });
});

describe("after_model_callback", () => {
  it("replaces the output: text added, a call set before the end of the session", async () => {
    const model = new ScriptedModel(call("end_session", { reason: "done" }));
    const code = afterModel(
      [
        `for part in llm_response.content.parts:`,
        `  if part.has_function_call("end_session"):`,
        `    return LlmResponse.from_parts(parts=[Part.from_text(text="Goodbye!"), Part.from_function_call(name="echo", args={"text": "log"}), part])`,
      ].join("\n"),
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { afterModel: [code], tools: ["echo", "end_session"] } },
      python: { echo: ECHO },
    });
    const outputs = await session.send("Bye");
    assert.deepEqual(
      outputs.map(({ outputType }) => outputType.case),
      ["text", "endSession"],
    );
    assert.deepEqual(
      spans(outputs).map(({ name }) => name),
      ["LLM", "Callback", "Tool"],
    );
  });

  it("sends a custom payload to the client and not into the model's history", async () => {
    const model = new ScriptedModel(say("Look."), say("ok"));
    const code = afterModel(
      `if llm_response.content.parts[0].text == "Look.":\n  llm_response.content.parts.append(Part.from_json(data='{"card": 1}'))`,
    );
    await using session = await testSession({ model, sandbox, agents: { Root: { afterModel: [code] } } });
    assert.deepEqual(spoken(await session.send("Show")), ["Look.", { case: "payload", value: { card: 1 } }]);
    await session.send("Ok");
    assert.deepEqual(
      model.requests[1]?.messages.flatMap(({ parts }) => parts),
      ["Show", "Look.", "Ok"].map((text) => ({ kind: "text", text })),
    );
  });

  it("does not delay streamed text; what it adds is sent, and what was sent is not sent again", async () => {
    const model = new ScriptedModel(say("one ", "two"));
    const code = afterModel(`llm_response.content.parts.append(Part.from_text(text="three"))`);
    await using session = await testSession({ model, sandbox, agents: { Root: { afterModel: [code] } } });
    const seen: unknown[] = [];
    for await (const event of session.events("Hi", { streamText: true })) {
      if (event.kind === "text-delta") seen.push(event.text);
      if (event.kind === "output") seen.push([event.output.outputType.value, event.alreadyStreamed]);
    }
    assert.deepEqual(seen, ["one ", "two", ["one two", true], ["three", false]]);
  });

  it("with proactive execution sees each piece of text as partial", async () => {
    const model = new ScriptedModel(say("one ", "two"));
    const code = afterModel(
      `if llm_response.partial:\n  return LlmResponse.from_parts(parts=[Part.from_text(text=llm_response.content.parts[0].text.upper())])\nreturn LlmResponse.from_parts(parts=[Part.from_text(text="ONE TWO")])`,
    );
    const afterModelCallbacks = [
      { callback: { case: "pythonCode" as const, value: code }, proactiveExecutionEnabled: true },
    ];
    await using session = await testSession({ model, sandbox, agents: { Root: { more: { afterModelCallbacks } } } });
    const seen: unknown[] = [];
    for await (const event of session.events("Hi", { streamText: true })) {
      if (event.kind === "text-delta") seen.push(event.text);
      if (event.kind === "output") seen.push([event.output.outputType.value, event.alreadyStreamed]);
    }
    assert.deepEqual(seen, ["ONE ", "TWO", ["ONE TWO", true]]);
  });

  it("may transfer after a text", async () => {
    const model = new ScriptedModel(say("whatever"), say("Child."));
    const code = afterModel(
      `return LlmResponse.from_parts(parts=[Part.from_text(text="Handing over."), Part.from_agent_transfer(agent="Child")])`,
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { children: ["Child"], afterModel: [code] }, Child: {} },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Handing over.", "Child."]);
    const transfer = outputs.at(-1)?.diagnosticInfo?.messages[1]?.chunks[1]?.data;
    assert.equal(transfer?.case === "agentTransfer" && transfer.value.targetAgent, agentName("Child"));
  });

  it("can repair an empty answer", async () => {
    const code = afterModel(`return LlmResponse.from_parts(parts=[Part.from_text(text="Pardon?")])`);
    await using session = await testSession({
      model: new ScriptedModel([]),
      sandbox,
      agents: { Root: { afterModel: [code] } },
    });
    assert.deepEqual(spoken(await session.send("Hi")), ["Pardon?"]);
  });
});
