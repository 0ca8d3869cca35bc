import assert from "node:assert/strict";
import { it } from "node:test";
import type { LanguageModel } from "#models";
import { generateJson } from "./model-planner.ts";

/** A model that answers with this text. */
function answering(text: string): LanguageModel {
  async function* stream() {
    yield { kind: "text-delta", text } as const;
  }
  return { stream } as unknown as LanguageModel;
}

const read = (text: string) =>
  generateJson(answering(text), { system: "", user: "" }, {}, { signal: new AbortController().signal }, []);

for (const [what, text, expected] of [
  ["JSON alone", '{"a": 1}', { a: 1 }],
  ["JSON in a fence, with words around it", 'Here:\n```json\n{"a": "```"}\n```\nDone.', { a: "```" }],
  ["a statement in a fence", "```sql\nSELECT 1\n```", { kind: "query", sql: "SELECT 1" }],
  ["a statement in a fence without a language", "```\nSELECT 1```", { kind: "query", sql: "SELECT 1" }],
  ["a fence that is not closed", "```sql\nSELECT 1", { text: "```sql\nSELECT 1" }],
  ["words", "I cannot say.", { text: "I cannot say." }],
] as const)
  it(`an answer of a model is read: ${what}`, async () => {
    assert.deepEqual(await read(text), expected);
  });

it("an answer of a million blanks behind a fence stops nobody (WIRE-79)", { timeout: 60_000 }, async () => {
  const text = `\`\`\`${"\n".repeat(1_000_000)}`;
  assert.deepEqual(await read(text), { text });
});
