import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { call, ScriptedModel, say, type TestSession, testSandbox, testSession } from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

const TURNS = 15;

const NOTE = `def note() -> dict:
  """Keeps 300 KiB."""
  count = get_variable("count", 0) + 1
  set_variable("count", count)
  set_variable("notes", str(count) + "x" * (300 << 10))
  return {"count": count, "events": len(context.events)}
`;

const TELL = `def tell() -> str:
  """Answers 300 KiB."""
  return "x" * (300 << 10)
`;

/** Reads the whole past in each of its ways, and counts what it could read. */
const READ = `def before_model_callback(callback_context, llm_request):
  texts = [part.text for part in callback_context.parts() if part.text]
  asked = [part for content in llm_request.contents for part in content.parts if part.text]
  callback_context.variables["read"] = [len(callback_context.events), len(texts), len(asked)]
`;

/** Keeps the newest contents, as apps do, and adds a word of its own. */
const TRIM = `def before_model_callback(callback_context, llm_request):
  llm_request.contents = llm_request.contents[-3:]
  llm_request.contents.append(Content(role="user", parts=[Part.from_text("Be brief.")]))
`;

describe("a long session (PY-46)", () => {
  for (const [name, tool, code] of [
    [`runs Python after ${TURNS} edits of a variable of 300 KiB`, "note", NOTE],
    [`runs Python after ${TURNS} answers of 300 KiB`, "tell", TELL],
  ] as const) {
    it(name, async () => {
      const script = Array.from({ length: TURNS }, () => [call(tool, {}), say("Done.")]).flat();
      const agents = { Root: { tools: [tool], beforeModel: [READ], afterModel: [SILENT] } };
      await using session = await testSession({
        model: new ScriptedModel(...script),
        sandbox,
        agents,
        python: { [tool]: code },
      });
      for (let turn = 1; turn <= TURNS; turn++)
        assert.deepEqual(failuresOf(await session.send("Go on")), [], `turn ${turn}`);
    });
  }

  it("sends the model what a callback left of it, in every turn", async () => {
    const model = new ScriptedModel(...Array.from({ length: 30 }, (_, turn) => say(`Answer ${turn}.`)));
    await using session = await testSession({ model, sandbox, agents: { Root: { beforeModel: [TRIM] } } });
    for (let turn = 0; turn < 30; turn++) assert.deepEqual(failuresOf(await session.send(`Question ${turn}`)), []);
    const texts = model.requests
      .at(-1)
      ?.messages.map(({ parts }) => parts.flatMap((part) => (part.kind === "text" ? part.text : [])));
    assert.deepEqual(texts, [["Question 28"], ["Answer 28."], ["Question 29"], ["Be brief."]]);
  });
});

const SILENT = "def after_model_callback(callback_context, llm_response):\n  return None\n";

/** What went wrong in user code. */
function failuresOf(outputs: Awaited<ReturnType<TestSession["send"]>>): readonly unknown[] {
  const spans = outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans ?? [];
  return spans.flatMap(({ attributes }) => attributes?.error ?? []);
}
