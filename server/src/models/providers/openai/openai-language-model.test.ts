import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HELLO, modelsWith, partsOf } from "../../__fixtures__/call-model.ts";
import { eventStream, fakeProvider, jsonDocument } from "../../__fixtures__/fake-provider.ts";
import { joinTexts } from "../../http/join-texts.ts";
import type { OpenAiProviderConfig } from "../../models-config.ts";
import { functionNames } from "../shared/function-calls.ts";
import { toChatCompletionRequest } from "./convert-prompt.ts";

const HERE = import.meta.dirname;
const USAGE = { inputTokens: 30, outputTokens: 18, thoughtTokens: 11, cachedTokens: 24 };
const LIST = { name: "list", description: "Lists.", parameters: { type: "object", properties: {} } };

const openai = (url: string, overrides: Partial<OpenAiProviderConfig> = {}): OpenAiProviderConfig => ({
  kind: "openai",
  name: "openai",
  keySource: "OPENAI_API_KEY",
  headers: {},
  baseUrl: `${url}/v1`,
  apiKey: "sk-secret",
  ...overrides,
});

describe("OpenAI chat completions", () => {
  it("streams text with the tokens at the end, however the bytes are cut", async () => {
    const replies = [1, 9, 100_000].map((size) => eventStream(HERE, "text.sse", size));
    await using provider = await fakeProvider(...replies);
    await using models = modelsWith(openai(provider.url));
    for (const _ of replies) {
      assert.deepEqual(joinTexts(await partsOf(models.resolve("gpt-5-mini"))), [
        { kind: "text-delta", text: "Ça coûte 12 € 🧾" },
        { kind: "finish", reason: "stop", rawReason: "stop", usage: USAGE },
      ]);
    }
    const [request] = provider.requests;
    assert.equal(request?.path, "/v1/chat/completions");
    assert.equal(request?.headers.authorization, "Bearer sk-secret");
    assert.deepEqual(request?.body, {
      model: "gpt-5-mini",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hello" },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("finishes at [DONE], without waiting for the server to end the answer", async () => {
    await using provider = await fakeProvider({ ...eventStream(HERE, "text.sse"), afterwards: "hang" });
    await using models = modelsWith(openai(provider.url));
    assert.equal((await partsOf(models.resolve("gpt-5-mini"))).at(-1)?.kind, "finish");
  });

  it("assembles tool calls from their deltas and brings their names back", async () => {
    await using provider = await fakeProvider(eventStream(HERE, "tools.sse", 13));
    await using models = modelsWith(openai(provider.url));
    const find = { name: "shop.find", description: "Finds.", parameters: { type: "object" } };
    assert.deepEqual(await partsOf(models.resolve("gpt-5-mini"), { ...HELLO, tools: [find, LIST] }), [
      { kind: "function-call", id: "call_a", name: "shop.find", args: { q: "vélo" } },
      { kind: "function-call", id: "call_b", name: "list", args: {} },
      { kind: "finish", reason: "tool-calls", rawReason: "tool_calls", usage: USAGE },
    ]);
    // Instructions name the function as the app does (TOOL-60).
    assert.match(
      JSON.stringify(provider.requests[0]?.body.tools),
      /"shop_find","description":"Finds\. Instructions call this 'shop\.find'\."/,
    );
  });

  it("reads servers that leave out index, usage and [DONE], send arguments as objects and send 'stop' after calls", async () => {
    await using provider = await fakeProvider(eventStream(HERE, "tools-loose.sse"));
    await using models = modelsWith(openai(provider.url, { name: "llama", apiKey: "" }));
    assert.deepEqual(await partsOf(models.resolve("qwen3"), { ...HELLO, tools: [LIST] }), [
      {
        kind: "function-call",
        id: "x1",
        name: "list",
        args: { page: 1 },
        signature: 'openai-extra:{"google":{"thought_signature":"c2ln"}}',
      },
      { kind: "function-call", id: "x2", name: "list", args: { page: 2 } },
      { kind: "finish", reason: "tool-calls", rawReason: "stop", usage: {} },
    ]);
    assert.equal(provider.requests[0]?.headers.authorization, undefined);
  });

  it("requests one whole answer without streaming", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"), jsonDocument(HERE, "refusal.json"));
    await using models = modelsWith(openai(provider.url));
    const model = models.resolve("gpt-5-mini");
    assert.deepEqual(await partsOf(model, { ...HELLO, tools: [LIST] }, { streaming: false }), [
      { kind: "text-delta", text: "Hi." },
      { kind: "function-call", id: "call_a", name: "list", args: { page: 3 } },
      { kind: "function-call", id: "call_b", name: "list", args: {} },
      { kind: "finish", reason: "tool-calls", rawReason: "tool_calls", usage: USAGE },
    ]);
    assert.equal("stream" in (provider.requests[0]?.body ?? {}), false);
    assert.deepEqual(await partsOf(model, HELLO, { streaming: false }), [
      { kind: "text-delta", text: "I can't help with that." },
      { kind: "finish", reason: "safety", rawReason: "stop", usage: { inputTokens: 3, outputTokens: 7 } },
    ]);
  });

  it("yields a call whose arguments are no JSON as one that must not be made, and none that the limit of tokens cut off", async () => {
    await using provider = await fakeProvider(eventStream(HERE, "broken-call.sse"), eventStream(HERE, "cut-call.sse"));
    await using models = modelsWith(openai(provider.url));
    const unreadable = { id: "call_a", name: "list", args: {}, unreadableArgs: '{"page": tru' };
    assert.deepEqual(await partsOf(models.resolve("gpt-5-mini")), [
      { kind: "text-delta", text: "One moment." },
      { kind: "function-call", ...unreadable },
      { kind: "finish", reason: "tool-calls", rawReason: "tool_calls", usage: USAGE },
    ]);
    assert.deepEqual(await partsOf(models.resolve("gpt-5-mini")), [
      { kind: "finish", reason: "length", rawReason: "length", usage: USAGE },
    ]);
  });

  it("calls a model that rejects temperature again without it, and without it from then on", async () => {
    const whole = jsonDocument(HERE, "whole.json");
    await using provider = await fakeProvider(jsonDocument(HERE, "temperature.json", 400), whole, whole);
    await using models = modelsWith(openai(provider.url));
    const model = models.resolve("gpt-5-mini");
    for (let call = 0; call < 2; call += 1) await partsOf(model, { ...HELLO, temperature: 0.2 }, { streaming: false });
    assert.deepEqual(
      provider.requests.map(({ body }) => body.temperature),
      [0.2, undefined, undefined],
    );
  });

  it("sends calls, answers, images, sound and documents in OpenAI's format", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(openai(provider.url, { headers: { "x-team": "desk" } }));
    const blob = (mimeType: string) => ({ kind: "blob" as const, mimeType, data: new Uint8Array([1, 2, 3]) });
    const signature = 'openai-extra:{"google":{"thought_signature":"c2ln"}}';
    const request = {
      system: "",
      messages: [
        {
          role: "user" as const,
          parts: [
            { kind: "text" as const, text: "See" },
            blob("image/png"),
            blob("audio/wav"),
            blob("application/pdf"),
            blob("video/mp4"),
          ],
        },
        {
          role: "model" as const,
          parts: [
            { kind: "text" as const, text: "Looking." },
            { kind: "function-call" as const, id: "c1", name: "list", args: { page: 1 }, signature },
          ],
        },
        {
          role: "user" as const,
          parts: [
            { kind: "text" as const, text: "And?" },
            { kind: "function-response" as const, id: "c1", name: "list", response: { result: [1] } },
          ],
        },
        {
          role: "model" as const,
          parts: [{ kind: "function-call" as const, id: "c2", name: "list", args: {}, signature: "Z2VtaW5p" }],
        },
        {
          role: "user" as const,
          parts: [{ kind: "function-response" as const, id: "c2", name: "list", response: {} }],
        },
      ],
      tools: [LIST],
      maxOutputTokens: 50,
    };
    await partsOf(models.resolve("gpt-5-mini"), request, { streaming: false });
    assert.equal(provider.requests[0]?.headers["x-team"], "desk");
    assert.deepEqual(provider.requests[0]?.body, {
      model: "gpt-5-mini",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "See" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
            { type: "input_audio", input_audio: { data: "AQID", format: "wav" } },
            { type: "file", file: { filename: "attachment.pdf", file_data: "data:application/pdf;base64,AQID" } },
            { type: "text", text: "[An attachment of type video/mp4 is here, which this model cannot read.]" },
          ],
        },
        {
          role: "assistant",
          content: "Looking.",
          tool_calls: [
            {
              id: "c1",
              type: "function",
              function: { name: "list", arguments: '{"page":1}' },
              extra_content: { google: { thought_signature: "c2ln" } },
            },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: '{"result":[1]}' },
        { role: "user", content: [{ type: "text", text: "And?" }] },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c2", type: "function", function: { name: "list", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c2", content: "{}" },
      ],
      tools: [{ type: "function", function: LIST }],
      max_tokens: 50,
    });
  });
});

describe("toChatCompletionRequest", () => {
  const options = {
    model: "m",
    streaming: false,
    names: functionNames([]),
    maxTokensField: "max_completion_tokens" as const,
  };
  const formatOf = (responseSchema: object) =>
    JSON.parse(toChatCompletionRequest({ ...HELLO, responseSchema: { ...responseSchema } }, options)).response_format;

  it("requests a strict schema where strict mode supports it", () => {
    const inner = {
      type: "object",
      properties: { b: { type: "string" } },
      required: ["b"],
      additionalProperties: false,
    };
    const strict = { type: "object", properties: { a: inner }, required: ["a"], additionalProperties: false };
    const loose = { ...strict, properties: { a: { ...inner, required: [] } } };
    assert.deepEqual(formatOf(strict), {
      type: "json_schema",
      json_schema: { name: "answer", schema: strict, strict: true },
    });
    assert.deepEqual(formatOf(loose), {
      type: "json_schema",
      json_schema: { name: "answer", schema: loose, strict: false },
    });
  });
});
