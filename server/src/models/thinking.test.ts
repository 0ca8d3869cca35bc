import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import { HELLO, modelsWith, partsOf } from "./__fixtures__/call-model.ts";
import { type FakeReply, fakeProvider } from "./__fixtures__/fake-provider.ts";
import type { ModelRequest } from "./contract.ts";
import type { ProviderConfig } from "./models-config.ts";

const SHARED = { keySource: "env", headers: {}, apiKey: "key" };

/** One wire: its provider, what of a request asks for thinking, and an answer with a thought in it. */
interface Wire {
  readonly provider: (url: string) => ProviderConfig;
  readonly asked: (body: JsonObject) => unknown;
  readonly answer: JsonObject;
}

const WIRES = {
  gemini: {
    provider: (url) => ({
      kind: "gemini",
      name: "gemini",
      keySource: "env",
      headers: {},
      baseUrl: url,
      access: { kind: "api-key", apiKey: "key" },
    }),
    asked: ({ generationConfig }) => (generationConfig as JsonObject).thinkingConfig,
    answer: {
      candidates: [{ content: { parts: [{ text: "Hm.", thought: true }, { text: "Hi." }] }, finishReason: "STOP" }],
    },
  },
  openai: {
    provider: (url) => ({ kind: "openai", name: "openai", ...SHARED, baseUrl: url }),
    asked: ({ reasoning_effort }) => reasoning_effort,
    answer: { choices: [{ message: { reasoning_content: "Hm.", content: "Hi." }, finish_reason: "stop" }] },
  },
  anthropic: {
    provider: (url) => ({ kind: "anthropic", name: "anthropic", ...SHARED, baseUrl: url }),
    asked: ({ thinking, output_config, max_tokens, temperature }) => ({
      thinking,
      output_config,
      max_tokens,
      temperature,
    }),
    answer: {
      type: "message",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "text", text: "Hi." },
      ],
      stop_reason: "end_turn",
    },
  },
} satisfies Record<string, Wire>;

const REJECTED: FakeReply = {
  status: 400,
  pieces: [JSON.stringify({ error: { message: "The thinking level, or effort, is not supported for this model." } })],
};

/** What each wire sends for a request when the model rejects the first forms. */
async function asked(wire: keyof typeof WIRES, request: Partial<ModelRequest>, rejections = 0) {
  const { provider, asked, answer } = WIRES[wire] as Wire;
  const reply = { pieces: [JSON.stringify(answer)] };
  await using fake = await fakeProvider(...Array<FakeReply>(rejections).fill(REJECTED), reply, reply);
  await using models = modelsWith(provider(fake.url));
  const model = models.resolve(`${wire}/some-model`);
  const parts = await partsOf(model, { ...HELLO, ...request }, { streaming: false });
  await partsOf(model, { ...HELLO, ...request }, { streaming: false });
  return { sent: fake.requests.map(({ body }) => asked(body)), parts, log: models.log() };
}

describe("the thinking level of a model call", () => {
  const effort = (thinking: object, output_config?: object, more = 2_048) => ({
    thinking,
    output_config,
    max_tokens: 8192 + more,
    temperature: undefined,
  });
  const cases: readonly [keyof typeof WIRES, ModelRequest["thinkingLevel"], forms: readonly unknown[]][] = [
    ["gemini", "low", [{ thinkingLevel: "LOW" }, { thinkingBudget: 1024 }]],
    ["gemini", "high", [{ thinkingLevel: "HIGH" }, { thinkingBudget: 24_576 }]],
    ["openai", "medium", ["medium"]],
    ["openai", "minimal", ["minimal", "low"]],
    [
      "anthropic",
      "low",
      [effort({ type: "adaptive" }, { effort: "low" }), effort({ type: "enabled", budget_tokens: 2_048 })],
    ],
    [
      "anthropic",
      "minimal",
      [effort({ type: "disabled" }, undefined, 0), effort({ type: "adaptive" }, { effort: "low" })],
    ],
  ];
  for (const [wire, thinkingLevel, forms] of cases) {
    it(`is ${JSON.stringify(forms[0])} for ${thinkingLevel} at ${wire}, and what else the model takes after a rejection`, async () => {
      for (const [rejections, form] of forms.entries()) {
        const { sent } = await asked(wire, { thinkingLevel }, rejections);
        assert.deepEqual(sent, [...forms.slice(0, rejections), form, form]);
      }
    });
  }

  it("is left out where the model takes no form of it, and the log says so", async () => {
    const { sent, log } = await asked("openai", { thinkingLevel: "high" }, 1);
    assert.deepEqual(sent, ["high", undefined, undefined]);
    assert.match(log, /does not take a setting/);
  });

  it("is not asked for where the request says nothing", async () => {
    for (const wire of ["gemini", "openai"] as const)
      assert.deepEqual((await asked(wire, {})).sent, [undefined, undefined]);
    assert.deepEqual((await asked("anthropic", { temperature: 0.5 })).sent[0], {
      thinking: undefined,
      output_config: undefined,
      max_tokens: 8192,
      temperature: 0.5,
    });
  });

  it("leaves out the temperature with Anthropic, which takes none beside thoughts, and all of it beside a forced answer", async () => {
    const { sent } = await asked("anthropic", { thinkingLevel: "low", temperature: 0.5 });
    assert.deepEqual(sent[0], effort({ type: "adaptive" }, { effort: "low" }));
    const schema = { type: "object", properties: {} };
    const forced = await asked("anthropic", { thinkingLevel: "low", responseSchema: schema });
    assert.deepEqual(forced.sent[0], { ...effort({}, undefined, 0), thinking: undefined });
  });

  it("uses no budget of Anthropic's where the calls before are another's, which the API rejects", async () => {
    const messages: ModelRequest["messages"] = [
      { role: "model", parts: [{ kind: "function-call", id: "c", name: "look", args: {} }] },
      { role: "user", parts: [{ kind: "function-response", id: "c", name: "look", response: {} }] },
    ];
    const { sent } = await asked("anthropic", { thinkingLevel: "low", messages }, 1);
    assert.deepEqual(sent[1], { ...effort({}, undefined, 0), thinking: undefined });
  });
});

describe("summaries of thoughts", () => {
  for (const wire of ["gemini", "openai", "anthropic"] as const) {
    it(`come from ${wire} where they are asked for, beside the answer`, async () => {
      const { parts } = await asked(wire, { thoughtSummaries: true });
      const texts = parts.flatMap((part) => ("text" in part ? [[part.kind, part.text]] : []));
      assert.deepEqual(texts, [
        ["thought-delta", "Hm."],
        ["text-delta", "Hi."],
      ]);
    });
  }

  it("are asked for in Gemini's words", async () => {
    assert.deepEqual((await asked("gemini", { thoughtSummaries: true })).sent[0], { includeThoughts: true });
  });

  it("are left out of the answer of servers that send them unasked", async () => {
    const { parts } = await asked("openai", {});
    assert.deepEqual(parts[0], { kind: "text-delta", text: "Hi." });
  });

  const INLINE = "\n<think>\nHm.</think>\n\nHi, <think> is a tag.";

  for (const [how, pieces] of [
    ["whole", [INLINE]],
    ["in pieces", [...INLINE]],
  ] as const) {
    it(`are told from the answer where a server writes them before it as <think>, ${how} (TURN-47)`, async () => {
      assert.deepEqual(await textsOf(pieces, true), { "thought-delta": "Hm.", "text-delta": "Hi, <think> is a tag." });
      assert.deepEqual(await textsOf(pieces, false), { "text-delta": "Hi, <think> is a tag." });
    });
  }

  it("are all that there is where the answer ended within them", async () => {
    assert.deepEqual(await textsOf(["<think>Hm", ".</thi"], true), { "thought-delta": "Hm.</thi" });
  });

  it("are not looked for behind the first words of an answer, which are kept as they are", async () => {
    assert.deepEqual(await textsOf([" <", "b> or <think>x</think>"], true), {
      "text-delta": " <b> or <think>x</think>",
    });
    assert.deepEqual(await textsOf(["<thi"], true), { "text-delta": "<thi" });
  });
});

/** What an OpenAI-shaped server's pieces of content become, joined by kind. */
async function textsOf(pieces: readonly string[], thoughtSummaries: boolean): Promise<Record<string, string>> {
  const events = pieces.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  const end = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\n`;
  await using provider = await fakeProvider({
    headers: { "content-type": "text/event-stream" },
    pieces: [...events, end],
  });
  await using models = modelsWith(WIRES.openai.provider(provider.url) as ProviderConfig);
  const texts: Record<string, string> = {};
  for (const part of await partsOf(models.resolve("deepseek-r1"), { ...HELLO, thoughtSummaries })) {
    if ("text" in part) texts[part.kind] = (texts[part.kind] ?? "") + part.text;
  }
  return texts;
}
