import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { ToolSchema } from "@frontdesk/protos/ces/tool";
import { call, ScriptedModel, say, spoken, TEST_APP, testSandbox, testSession, toolResource } from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

type ToolInit = MessageInitShape<typeof ToolSchema>;

const FAKE = `def fake_tool_call(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict[str, Any]]:
    print("faking", tool.name, "-", tool.description)
    logger.info("asked for %s", input["seat"])
    callback_context.state["faked"] = input["seat"]
    if input["seat"] == "broken":
        raise LookupError("no such seat")
    return {"seat": input["seat"]} if input["seat"] != "real" else None
`;

const withFake = (enableFakeMode = true): Pick<ToolInit, "toolFakeConfig"> => ({
  toolFakeConfig: { enableFakeMode, toolResponse: { case: "codeBlock", value: { pythonCode: FAKE } } },
});

const pickSeat = (enabled?: boolean): ToolInit => ({
  name: toolResource("pick"),
  displayName: "pick",
  toolType: { case: "clientFunction", value: { name: "pick", description: "Lets the user pick." } },
  ...withFake(enabled),
});

const spansOf = (outputs: readonly SessionOutput[]) =>
  (outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans ?? []).filter(({ name }) => name === "Tool");

/** A turn in which the model calls `pick` for a seat. */
async function pick(seat: string, tool: ToolInit, useToolFakes = true) {
  const model = new ScriptedModel(call("pick", { seat }), say("Done."));
  const session = await testSession({ model, sandbox, agents: { Root: { tools: ["pick"] } }, tools: [tool] });
  const outputs = await session.send("Hi", { config: { useToolFakes } });
  return { session, outputs };
}

describe("a fake of a client function", () => {
  it("answers in the client's place when the session asks for fakes", async () => {
    const { session, outputs } = await pick("4A", pickSeat());
    await using _ = session;
    assert.deepEqual(spoken(outputs), ["Done."]);
    assert.deepEqual(
      spansOf(outputs).map(({ attributes }) => attributes),
      [
        {
          name: "pick",
          agent: "Root",
          args: { seat: "4A" },
          response: { seat: "4A" },
          fake: true,
          output: ["faking pick - Lets the user pick.", "INFO asked for 4A"],
        },
      ],
    );
  });

  it("leaves the call to the client when it returns nothing, is disabled, or is not requested", async () => {
    for (const [seat, tool, useToolFakes] of [
      ["real", pickSeat(), true],
      ["4A", pickSeat(false), true],
      ["4A", pickSeat(), false],
    ] as const) {
      const { session, outputs } = await pick(seat, tool, useToolFakes);
      assert.deepEqual(
        outputs.map(({ outputType }) => outputType.case),
        ["toolCalls"],
      );
      await session.send([
        { case: "toolResponses", value: { toolResponses: [{ id: "call-pick", response: { seat } }] } },
      ]);
      await session[Symbol.asyncDispose]();
    }
  });

  it("that lets the call through has printed and changed what it did before, for the tool and the client alike", async () => {
    const pythonCode = `def pick(seat: str) -> str:\n    print("picking")\n    return get_variable("faked")\n`;
    const onServer = await pick("real", {
      name: toolResource("pick"),
      displayName: "pick",
      ...withFake(),
      toolType: { case: "pythonFunction", value: { name: "pick", pythonCode } },
    });
    await using _ = onServer.session;
    const output = ["faking pick - ", "INFO asked for real"];
    assert.deepEqual(spansOf(onServer.outputs)[0]?.attributes, {
      name: "pick",
      agent: "Root",
      args: { seat: "real" },
      response: { result: "real" },
      output: [...output, "picking"],
    });
    const onClient = await pick("real", pickSeat());
    await using __ = onClient.session;
    const [span] = spansOf(onClient.outputs);
    assert.deepEqual(span?.attributes?.output, ["faking pick - Lets the user pick.", output[1]]);
    const response = { id: "call-pick", response: { seat: "real" } };
    await onClient.session.send([{ case: "toolResponses", value: { toolResponses: [response] } }]);
    const head = await onClient.session.storage.conversations.getHead(`${TEST_APP}/conversations/session-1`);
    assert.partialDeepStrictEqual(JSON.parse(head?.state ?? ""), { variables: { faked: "real" } });
  });

  it("that raises is a failed call, with what it printed and its lines in the trace", async () => {
    const { session, outputs } = await pick("broken", pickSeat());
    await using _ = session;
    const filename = "tools/pick/tool_fake_config/code_block/python_code.py";
    const error = `Python function execution failed: LookupError: no such seat (${filename}, line 6)`;
    assert.deepEqual(spansOf(outputs)[0]?.attributes, {
      name: "pick",
      agent: "Root",
      args: { seat: "broken" },
      response: { status: "error", error },
      fake: true,
      output: ["faking pick - Lets the user pick.", "INFO asked for broken"],
      error,
      frames: [{ filename, line: 6, function: "fake_tool_call", source: 'raise LookupError("no such seat")' }],
    });
  });
});

describe("the trace of a tool that is ended", () => {
  it("shows that it timed out", async () => {
    const pythonCode = `import time\ndef pick(seat: str) -> dict:\n    time.sleep(20)\n`;
    const timeout = create(DurationSchema, { nanos: 300_000_000 });
    const { session, outputs } = await pick("4A", {
      name: toolResource("pick"),
      displayName: "pick",
      timeout,
      toolType: { case: "pythonFunction", value: { name: "pick", pythonCode } },
    });
    await using _ = session;
    const error = "Code execution timed out: the code did not end within 300 ms";
    assert.deepEqual(spansOf(outputs)[0]?.attributes, {
      name: "pick",
      agent: "Root",
      args: { seat: "4A" },
      response: { status: "error", error },
      error,
    });
  });
});
