import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LanguageModel } from "#models";
import { createBuiltinModel } from "#offline";
import { unavailable } from "#status";
import { ScriptedModel, say } from "#testing/engine";
import { question } from "../__fixtures__/test-search.ts";
import type { SearchHit, StoreQuestion } from "../contract.ts";
import { answerQuestion } from "./answer-question.ts";
import { lexicalGrounding } from "./grounding.ts";

const hit = (title: string, text: string): SearchHit => ({
  store: "s",
  uri: `${title}.md`,
  title,
  text,
  data: {},
  score: 1,
});
const HITS = [hit("Returns", "Send shoes back within 30 days."), hit("Refunds", "Money comes in five days.")];
const STEP = { model: "any", prompt: "" };

async function answer(model: LanguageModel, more: Partial<StoreQuestion>) {
  const asked: string[] = [];
  const find = async ({ query }: { readonly query: string }) => {
    asked.push(query);
    return HITS;
  };
  const result = await answerQuestion(question("can I return them", "s", more), find, { resolve: () => model });
  return { ...result, asked };
}

describe("an answer from data stores", () => {
  it("is passages only when nothing else is configured, without any model", async () => {
    using model = new ScriptedModel();
    const { hits, answer: text, notes, asked } = await answer(model, {});
    assert.deepEqual([hits, text, notes, asked], [HITS, "", [], ["can I return them"]]);
  });

  it("rewrites the query with the conversation", async () => {
    using model = new ScriptedModel(say('"return shoes"'));
    const { asked } = await answer(model, { rewriter: STEP, conversation: "User: I bought shoes" });
    assert.deepEqual(asked, ["return shoes"]);
    const [part] = model.requests[0]?.messages[0]?.parts ?? [];
    assert.deepEqual(part, {
      kind: "text",
      text: "Conversation:\nUser: I bought shoes\n\nQuestion: can I return them",
    });
  });

  it("is a summary of numbered sources, and keeps the cited ones", async () => {
    using model = new ScriptedModel(say("Within 30 days [1]."));
    const { hits, answer: text } = await answer(model, { summarizer: { ...STEP, temperature: 0.2 } });
    assert.deepEqual([text, hits], ["Within 30 days [1].", HITS.slice(0, 1)]);
    const [request] = model.requests;
    assert.equal(request?.temperature, 0.2);
    const [part] = request?.messages[0]?.parts ?? [];
    assert.deepEqual(part, {
      kind: "text",
      text: "Sources:\n[1] Returns\nSend shoes back within 30 days.\n\n[2] Refunds\nMoney comes in five days.\n\nQuestion: can I return them",
    });
  });

  it("fills the placeholders of an app's own prompt", async () => {
    using model = new ScriptedModel(say("short"), say("ok"));
    const prompt = "Q: $original-query / $rewritten-query S: $sources M: $end-user-metadata.";
    await answer(model, { rewriter: STEP, summarizer: { model: "", prompt } });
    assert.equal(
      model.requests[1]?.system,
      "Q: can I return them / short S: [1] Returns\nSend shoes back within 30 days.\n\n[2] Refunds\nMoney comes in five days. M: .",
    );
  });

  it("is returned at its grounding level and above, and not below", async () => {
    using model = new ScriptedModel(say("A [1]"), say('{"score": 3}'), say("A [1]"), say('{"score": 2.9}'));
    const given = await answer(model, { summarizer: STEP, groundingLevel: 3 });
    assert.deepEqual([given.answer, given.groundingScore], ["A [1]", 3]);
    const withheld = await answer(model, { summarizer: STEP, groundingLevel: 3 });
    assert.deepEqual([withheld.answer, withheld.groundingScore, withheld.hits], ["", 2.9, HITS]);
  });

  it("is judged lexically when the judge gives no score", async () => {
    using model = new ScriptedModel(say("Send shoes back within 30 days. [1]"), say("fine"));
    const { answer: text, groundingScore } = await answer(model, { summarizer: STEP, groundingLevel: 4 });
    assert.deepEqual([text, groundingScore], ["Send shoes back within 30 days. [1]", 5]);
  });

  it("is passages only when the sources hold no answer", async () => {
    using model = new ScriptedModel(say("NO_ANSWER"));
    const { answer: text, notes } = await answer(model, { summarizer: STEP, groundingLevel: 3 });
    assert.deepEqual([text, notes], ["", ["There is no summary: the sources do not answer the question."]]);
  });

  it("is passages only when a model fails, for the unchanged query", async () => {
    using model = new ScriptedModel(unavailable("down"), unavailable("down"));
    const { answer: text, notes, asked } = await answer(model, { rewriter: STEP, summarizer: STEP });
    assert.deepEqual(
      [text, asked, notes],
      ["", ["can I return them"], ["The question was not rewritten: down.", "There is no summary: down."]],
    );
  });

  it("is passages where only the built-in model is there, which is not asked", async () => {
    const builtin: LanguageModel = { ...createBuiltinModel(), stream: () => assert.fail("not asked") };
    const { answer: text, notes } = await answer(builtin, { summarizer: STEP });
    assert.deepEqual([text, notes], ["", ["There is no summary: no model provider is configured."]]);
  });
});

describe("lexical grounding", () => {
  it("is 5 for what the sources say, less for what they say in part, and least for a number that they do not have", () => {
    assert.equal(lexicalGrounding("Send shoes back within 30 days.", HITS), 5);
    assert.equal(lexicalGrounding("Send shoes back within 90 days.", HITS), 1);
    assert.equal(lexicalGrounding("Bananas grow tall.", HITS), 1);
    const half = lexicalGrounding("Send shoes back. Bananas grow tall.", HITS);
    assert.equal(half, 3);
  });
});
