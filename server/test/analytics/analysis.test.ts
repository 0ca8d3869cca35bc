import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ScriptedModel, say } from "#testing";
import { askAll, inlineQuestion, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const json = (value: object) => say(JSON.stringify(value));

const PLAN = {
  kind: "query",
  name: "amounts",
  sql: "SELECT region, amount FROM acme.sales.orders ORDER BY amount",
  analysis: "Look for outliers.",
};
const CONTEXT = { datasourceReferences: ORDERS_REFERENCE, options: { analysis: { python: { enabled: true } } } };
const ANSWER = json({ text: "The rows are told.", follow_ups: [] });

/** The events of the analysis of one question, whose programs a model writes one after another. */
async function eventsOf(...programs: readonly string[]) {
  const model = new ScriptedModel(json(PLAN), ...programs.map((code) => json({ code })), ANSWER);
  await using server = await startDataServer({ model });
  const elements = await askAll(server, inlineQuestion("Any outliers?", { inlineContext: CONTEXT }));
  model.assertDone();
  const kinds = elements.map(({ systemMessage }) => Object.keys(systemMessage).find((key) => key !== "groupId"));
  assert.equal(elements.at(-1)?.systemMessage.text.textType, "FINAL_RESPONSE", JSON.stringify(kinds));
  return elements.flatMap(({ systemMessage }) => systemMessage.analysis?.progressEvent ?? []);
}

describe("an analysis", () => {
  it("is given up after three programs that fail, and the answer goes on without it", async () => {
    const broken = "def analyze(results):\n  return 1 / 0";
    const failed = "ZeroDivisionError: division by zero (line 2: return 1 / 0)";
    assert.deepEqual(await eventsOf(broken, broken, broken), [
      { plannerReasoning: "The question needs more than SQL: Look for outliers." },
      { coderInstruction: "Look for outliers." },
      ...[1, 2, 3].flatMap(() => [{ code: broken }, { executionError: failed }]),
      { error: `The analysis was given up after 3 programs: ${failed}` },
    ]);
  });

  it("refers to a result that it was given, and to no other", async () => {
    const referring = (name: string) => `def analyze(results):\n  return {"reference": "${name}"}`;
    assert.deepEqual((await eventsOf(referring("amounts"))).at(-1), { resultReferenceData: "amounts" });
    assert.deepEqual((await eventsOf(referring("secrets"))).at(-1), { code: referring("secrets") });
  });
});
