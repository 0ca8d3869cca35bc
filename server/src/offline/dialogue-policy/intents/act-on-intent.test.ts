import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import type { FunctionDeclaration, ModelMessage } from "#models";
import { createBuiltinModel } from "../builtin-model.ts";

function declared(name: string, description: string, required: readonly string[]): FunctionDeclaration {
  const properties = Object.fromEntries(required.map((each) => [each, { type: "string", description: each }]));
  return { name, description, parameters: { type: "object", properties, required: [...required] } };
}

const handbook = declared("handbook", "Searches the handbook.", ["query"]);
const trackOrder = declared("track_order", "Finds where an order is.", ["order_id"]);

/** What the model does next: its words, its calls, the rule that decided. */
async function next(tools: readonly FunctionDeclaration[], text: string, response?: JsonObject) {
  const messages: ModelMessage[] = [{ role: "user", parts: [{ kind: "text", text }] }];
  if (response) {
    const call = { id: "1", name: "handbook" };
    messages.push({ role: "model", parts: [{ kind: "function-call", ...call, args: { query: text } }] });
    messages.push({ role: "user", parts: [{ kind: "function-response", ...call, response }] });
  }
  const stream = createBuiltinModel().stream({ system: "", messages, tools }, { signal: new AbortController().signal });
  const parts = await Array.fromAsync(stream);
  const words = parts.map((part) => (part.kind === "text-delta" ? part.text : "")).join("");
  const calls = parts.flatMap((part) => (part.kind === "function-call" ? [[part.name, part.args]] : []));
  const rule = parts.flatMap((part) => (part.kind === "finish" ? [part.rawReason] : []))[0];
  return { words, calls, rule };
}

describe("the built-in model's search", () => {
  const question = "how long do batteries last?";

  it("searches for a text without another intent", async () => {
    assert.deepEqual(await next([trackOrder, handbook], question), {
      words: "",
      calls: [["handbook", { query: question }]],
      rule: "search:handbook",
    });
  });

  it("leaves texts of other intents to their tools", async () => {
    const { calls } = await next([trackOrder, handbook], "where is my order A-77?");
    assert.deepEqual(calls, [["track_order", { order_id: "A-77" }]]);
  });

  it("uses only a function that requires a query and nothing else", async () => {
    const { calls } = await next([declared("ask", "Asks around.", ["query", "who"])], question);
    assert.deepEqual(calls, []);
  });

  const snippet = { title: "Batteries", uri: "https://x.example/", text: "They last ten hours." };
  const described: readonly (readonly [JsonObject, string])[] = [
    [{ snippets: [snippet, { ...snippet, text: "Or nine." }] }, "Batteries: They last ten hours."],
    [{ snippets: [] }, "I found nothing about that."],
    [{ answer: "Ten hours [1].", snippets: [snippet] }, "Ten hours [1]."],
    [{ status: "error", error: "The data store is not configured." }, "Sorry, that did not work."],
  ];
  for (const [response, words] of described) {
    it(`reports what was found: ${words}`, async () => {
      assert.deepEqual(await next([handbook], question, response), { words, calls: [], rule: "telling" });
    });
  }
});
