import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { call, ScriptedModel, say, startTestServer } from "#testing";
import { appOfOneAgent } from "./app-of-one-agent.ts";

const SESSION = "traced-1";

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
type Json = any;

describe("a trace with prompts", () => {
  it("has the prompt and answer of each model call when the caller asks for that, and not otherwise", async () => {
    const model = new ScriptedModel(call("no_such_tool", { a: 1 }), say("Done."), say("Again."));
    await using server = await startTestServer({ model });
    const app = await appOfOneAgent(server, "traced", {
      instruction: "Be kind.",
      modelSettings: { temperature: 0.5 },
      agentType: { case: "llmAgent", value: {} },
    });
    const run = async (text: string, headers: Record<string, string>): Promise<readonly Json[]> => {
      const answer = await fetch(`${server.address}/v1beta/${app}/sessions/${SESSION}:runSession`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ config: {}, inputs: [{ text }] }),
      });
      return llmSpans(((await answer.json()) as Json).outputs.at(-1).diagnosticInfo.rootSpan);
    };
    const traced = await run("Hello", { "x-frontdesk-trace": "prompts" });
    const plain = await run("And now?", {});
    assert.equal(traced.length, 2);
    const [first, second] = traced;
    assert.deepEqual(first.prompt.messages, [{ role: "user", parts: [{ text: "Hello" }] }]);
    assert.match(first.prompt.system, /Be kind\./);
    assert.equal(first.prompt.temperature, 0.5);
    assert.equal(first.prompt.system, model.requests[0]?.system);
    assert.deepEqual(first.answer, [{ call: "no_such_tool", args: { a: 1 } }]);
    assert.deepEqual(second.prompt.messages.at(-1), {
      role: "user",
      parts: [{ result: "no_such_tool", response: { error: "Tool not found: no_such_tool", status: "error" } }],
    });
    assert.deepEqual(second.answer, [{ text: "Done." }]);
    assert.deepEqual(
      Object.keys(plain[0]).filter((name) => name === "prompt" || name === "answer"),
      [],
    );
    const stored: Json = await (await fetch(`${server.address}/v1beta/${app}/conversations/${SESSION}`)).json();
    assert.deepEqual(llmSpans(stored.turns[0].rootSpan), traced);
  });
});

function llmSpans(root: Json): readonly Json[] {
  return root.childSpans.filter(({ name }: Json) => name === "LLM").map(({ attributes }: Json) => attributes);
}
