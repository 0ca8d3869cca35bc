import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HELLO, modelsWith, partsOf } from "../../__fixtures__/call-model.ts";
import { eventStream, fakeProvider, jsonDocument } from "../../__fixtures__/fake-provider.ts";
import type { ModelMessage } from "../../contract.ts";
import { joinTexts } from "../../http/join-texts.ts";
import type { AnthropicProviderConfig } from "../../models-config.ts";

const HERE = import.meta.dirname;
const USAGE = { inputTokens: 115, outputTokens: 25, cachedTokens: 100 };
const LIST = { name: "list", description: "Lists.", parameters: { type: "object", properties: {} } };
const SONNET = "claude-sonnet-4-5";

const anthropic = (baseUrl: string): AnthropicProviderConfig => ({
  kind: "anthropic",
  name: "anthropic",
  keySource: "ANTHROPIC_API_KEY",
  headers: {},
  baseUrl,
  apiKey: "sk-ant-secret",
});

describe("Anthropic messages", () => {
  it("streams text, cached tokens counted in, however the bytes are cut", async () => {
    const replies = [1, 17, 100_000].map((size) => eventStream(HERE, "text.sse", size));
    await using provider = await fakeProvider(...replies);
    await using models = modelsWith(anthropic(provider.url));
    for (const _ of replies) {
      assert.deepEqual(joinTexts(await partsOf(models.resolve(SONNET))), [
        { kind: "text-delta", text: "Grüße aus Zürich 🏔️" },
        { kind: "finish", reason: "stop", rawReason: "end_turn", usage: USAGE },
      ]);
    }
    const [request] = provider.requests;
    assert.equal(request?.path, "/v1/messages");
    assert.equal(request?.headers["x-api-key"], "sk-ant-secret");
    assert.equal(request?.headers["anthropic-version"], "2023-06-01");
    assert.deepEqual(request?.body, {
      model: SONNET,
      max_tokens: 8192,
      system: "Be brief.",
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      stream: true,
    });
  });

  it("assembles tool calls from their deltas, also those without arguments", async () => {
    await using provider = await fakeProvider(eventStream(HERE, "tools.sse", 19));
    await using models = modelsWith(anthropic(provider.url));
    assert.deepEqual(await partsOf(models.resolve(SONNET)), [
      { kind: "text-delta", text: "I'll check." },
      { kind: "function-call", id: "toolu_1", name: "find", args: { q: "café" } },
      { kind: "function-call", id: "toolu_2", name: "list", args: {} },
      { kind: "finish", reason: "tool-calls", rawReason: "tool_use", usage: USAGE },
    ]);
  });

  it("carries thinking as the signature of what follows it, and sends it back as it came", async () => {
    await using provider = await fakeProvider(eventStream(HERE, "thinking.sse"), jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(anthropic(provider.url));
    const parts = await partsOf(models.resolve(SONNET));
    const thinking = [
      { type: "thinking", thinking: "They want a list.", signature: "EqQBCg==" },
      { type: "redacted_thinking", data: "RW5jcg==" },
    ];
    const signature = `anthropic:${JSON.stringify(thinking)}`;
    const call = { kind: "function-call" as const, id: "toolu_3", name: "list", args: {}, signature };
    assert.deepEqual(parts[0], call);
    const messages: ModelMessage[] = [...HELLO.messages, { role: "model", parts: [call] }];
    await partsOf(models.resolve(SONNET), { ...HELLO, messages }, { streaming: false });
    assert.deepEqual(provider.requests[1]?.body.messages, [
      { role: "user", content: [{ type: "text", text: "Hello" }] },
      { role: "assistant", content: [...thinking, { type: "tool_use", id: "toolu_3", name: "list", input: {} }] },
    ]);
  });

  it("requests an answer of a given schema through a function, and yields it as text", async () => {
    await using provider = await fakeProvider(eventStream(HERE, "answer.sse"), eventStream(HERE, "tools.sse"));
    await using models = modelsWith(anthropic(provider.url));
    const responseSchema = { type: "object", properties: { mood: { type: "string" } } };
    const parts = await partsOf(models.resolve(SONNET), { ...HELLO, responseSchema, temperature: 1.7 });
    assert.deepEqual(joinTexts(parts), [
      { kind: "text-delta", text: '{"mood":"good"}' },
      { kind: "finish", reason: "stop", rawReason: "tool_use", usage: USAGE },
    ]);
    const description = "Gives the answer. Call this instead of writing text.";
    const answer = { name: "answer_as_json", description, input_schema: responseSchema };
    const { tools, tool_choice, temperature } = provider.requests[0]?.body ?? {};
    assert.deepEqual(
      { tools, tool_choice, temperature },
      {
        tools: [answer],
        tool_choice: { type: "tool", name: "answer_as_json" },
        temperature: 1,
      },
    );
    await partsOf(models.resolve(SONNET), { ...HELLO, responseSchema, tools: [LIST] });
    const { parameters, ...list } = LIST;
    assert.deepEqual(provider.requests[1]?.body.tools, [{ ...list, input_schema: parameters }, answer]);
    assert.deepEqual(provider.requests[1]?.body.tool_choice, { type: "any" });
  });

  it("requests one whole answer without streaming", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(anthropic(provider.url));
    assert.deepEqual(await partsOf(models.resolve(SONNET), HELLO, { streaming: false }), [
      { kind: "text-delta", text: "Hi." },
      { kind: "function-call", id: "toolu_5", name: "find", args: { q: "x" } },
      { kind: "finish", reason: "tool-calls", rawReason: "tool_use", usage: { inputTokens: 4, outputTokens: 6 } },
    ]);
  });

  it("tries again when it is overloaded before the first part, and yields a broken call as one that must not be made", async () => {
    await using provider = await fakeProvider(
      eventStream(HERE, "overloaded.sse"),
      eventStream(HERE, "broken-call.sse"),
    );
    await using models = modelsWith(anthropic(provider.url));
    assert.deepEqual(await partsOf(models.resolve(SONNET)), [
      { kind: "function-call", id: "toolu_1", name: "find", args: {}, unreadableArgs: '{"q": ' },
      { kind: "finish", reason: "tool-calls", rawReason: "tool_use", usage: USAGE },
    ]);
    assert.equal(provider.requests.length, 2);
  });

  it("makes turns alternate from the user on, answers of functions first, ids and empty texts fit to send", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(anthropic(provider.url));
    const data = new Uint8Array([1, 2, 3]);
    const messages: ModelMessage[] = [
      { role: "model", parts: [{ kind: "text", text: "Welcome." }] },
      {
        role: "user",
        parts: [
          { kind: "text", text: " " },
          { kind: "blob", mimeType: "image/png", data },
        ],
      },
      {
        role: "user",
        parts: [
          { kind: "blob", mimeType: "application/pdf", data },
          { kind: "blob", mimeType: "audio/wav", data },
        ],
      },
      {
        role: "model",
        parts: [{ kind: "function-call", id: "functions.list:0", name: "list", args: {}, signature: "Z2VtaW5p" }],
      },
      {
        role: "user",
        parts: [
          { kind: "text", text: "Quick!" },
          { kind: "function-response", id: "functions.list:0", name: "list", response: { result: 1 } },
        ],
      },
    ];
    await partsOf(models.resolve(SONNET), { ...HELLO, messages }, { streaming: false });
    const base64 = (media_type: string) => ({ type: "base64", media_type, data: "AQID" });
    assert.deepEqual(provider.requests[0]?.body.messages, [
      { role: "user", content: [{ type: "text", text: "[The conversation starts.]" }] },
      { role: "assistant", content: [{ type: "text", text: "Welcome." }] },
      {
        role: "user",
        content: [
          { type: "image", source: base64("image/png") },
          { type: "document", source: base64("application/pdf") },
          { type: "text", text: "[An attachment of type audio/wav is here, which this model cannot read.]" },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "functions_list_0", name: "list", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "functions_list_0", content: '{"result":1}' },
          { type: "text", text: "Quick!" },
        ],
      },
    ]);
  });
});
