import assert from "node:assert/strict";
import { join } from "node:path";
import { beforeEach, describe, it } from "node:test";
import type { JsonObject } from "#base";
import { HELLO, modelsWith, partsOf } from "../../__fixtures__/call-model.ts";
import type { ModelRequest } from "../../contract.ts";
import type { AiSdkProviderConfig } from "../../models-config.ts";
import { shortFunctionName } from "../shared/function-calls.ts";
// @ts-expect-error: the fake package has no types, as an operator's may have none.
import { calls } from "./__fixtures__/fake-package.mjs";

const PACKAGE = join(import.meta.dirname, "__fixtures__", "fake-package.mjs");

const fake = (version: string, script: readonly object[], overrides: Partial<AiSdkProviderConfig> = {}) => ({
  kind: "ai-sdk" as const,
  name: "fake",
  keySource: "FAKE_KEY",
  module: PACKAGE,
  factory: "createFake",
  // The script is data for the fake; only this test knows its shape.
  options: { version, script: [...script] as JsonObject[], apiKey: "fk-secret" },
  ...overrides,
});

const V2_PARTS = [
  { type: "stream-start", warnings: [] },
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "hm" },
  { type: "reasoning-end", id: "r" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Let me " },
  { type: "text-delta", id: "t", delta: "look." },
  { type: "text-end", id: "t" },
  { type: "tool-input-start", id: "c1", toolName: "find" },
  { type: "tool-input-delta", id: "c1", delta: '{"q":"x"}' },
  { type: "tool-input-end", id: "c1" },
  { type: "tool-call", toolCallId: "c1", toolName: "find", input: '{"q":"x"}' },
  { type: "tool-call", toolCallId: "c0", toolName: "web_search", input: "{}", providerExecuted: true },
  {
    type: "finish",
    finishReason: "tool-calls",
    usage: { inputTokens: 5, outputTokens: 6, totalTokens: 11, reasoningTokens: 2, cachedInputTokens: 3 },
  },
];

const V3_USAGE = {
  inputTokens: { total: 5, noCache: 2, cacheRead: 3, cacheWrite: 0 },
  outputTokens: { total: 6, text: 4, reasoning: 2 },
};
const USAGE = { inputTokens: 5, outputTokens: 6, thoughtTokens: 2, cachedTokens: 3 };

describe("An AI SDK package", () => {
  beforeEach(() => calls.splice(0));

  it("streams text and calls by version 2 of the interface", async () => {
    await using models = modelsWith(fake("v2", [{ parts: V2_PARTS }]));
    assert.deepEqual(await partsOf(models.resolve("fake/large")), [
      { kind: "text-delta", text: "Let me " },
      { kind: "text-delta", text: "look." },
      { kind: "function-call", id: "c1", name: "find", args: { q: "x" } },
      { kind: "finish", reason: "tool-calls", rawReason: "tool-calls", usage: USAGE },
    ]);
    assert.equal(calls[0].apiKey, "fk-secret");
  });

  it("streams by versions 3 and 4, carrying the provider's metadata round", async () => {
    const providerMetadata = { vendor: { signature: "c2ln" } };
    const parts = [
      { type: "text-delta", id: "t", delta: "Hi" },
      { type: "text-end", id: "t", providerMetadata },
      { type: "tool-call", toolCallId: "c1", toolName: "find", input: "{}", providerMetadata },
      { type: "finish", finishReason: { unified: "stop", raw: "END" }, usage: V3_USAGE },
    ];
    const signature = `ai-sdk:${JSON.stringify(providerMetadata)}`;
    for (const version of ["v3", "v4"]) {
      await using models = modelsWith(fake(version, [{ parts }]));
      assert.deepEqual(await partsOf(models.resolve("fake/large")), [
        { kind: "text-delta", text: "Hi" },
        { kind: "text-delta", text: "", signature },
        { kind: "function-call", id: "c1", name: "find", args: {}, signature },
        { kind: "finish", reason: "stop", rawReason: "END", usage: USAGE },
      ]);
    }
  });

  it("returns one whole answer without streaming", async () => {
    const content = [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Hi" },
      { type: "tool-call", toolCallId: "c1", toolName: "find", input: '{"q":1}' },
    ];
    const result = { content, finishReason: { unified: "length", raw: "MAX" }, usage: V3_USAGE, warnings: [] };
    await using models = modelsWith(fake("v3", [{ result }]));
    assert.deepEqual(await partsOf(models.resolve("fake/large"), HELLO, { streaming: false }), [
      { kind: "text-delta", text: "Hi" },
      { kind: "function-call", id: "c1", name: "find", args: { q: 1 } },
      { kind: "finish", reason: "length", rawReason: "MAX", usage: USAGE },
    ]);
  });

  it("receives names that providers accept, in declarations and history, and its calls have the whole name", async () => {
    const name = `shop_${"x".repeat(80)}`;
    const short = shortFunctionName(name);
    const parts = [{ type: "tool-call", toolCallId: "c2", toolName: short, input: "{}" }];
    await using models = modelsWith(fake("v3", [{ parts }]));
    const received = await partsOf(models.resolve("fake/large"), {
      ...HELLO,
      messages: [
        { role: "model", parts: [{ kind: "function-call", id: "c1", name, args: {} }] },
        { role: "user", parts: [{ kind: "function-response", id: "c1", name, response: {} }] },
      ],
      tools: [{ name, description: "Finds.", parameters: { type: "object" } }],
    });
    assert.deepEqual(received[0], { kind: "function-call", id: "c2", name, args: {} });
    const sent = JSON.stringify(calls[0].options);
    assert.deepEqual([sent.split(name).length - 1, sent.split(short).length - 1], [1, 3]);
    assert.ok(sent.includes(`Finds. Instructions call this '${name}'.`));
  });

  it("receives the call options of the interface; only version 4 tags the data of a file", async () => {
    const data = new Uint8Array([1, 2, 3]);
    const signature = 'ai-sdk:{"vendor":{"signature":"c2ln"}}';
    const request: ModelRequest = {
      system: "Be brief.",
      messages: [
        {
          role: "user",
          parts: [
            { kind: "text", text: "Look" },
            { kind: "blob", mimeType: "image/png", data },
          ],
        },
        { role: "model", parts: [{ kind: "function-call", id: "c1", name: "find", args: { q: 1 }, signature }] },
        { role: "user", parts: [{ kind: "function-response", id: "c1", name: "find", response: { result: 2 } }] },
      ],
      tools: [{ name: "find", description: "Finds.", parameters: { type: "object" } }],
      temperature: 0.5,
      maxOutputTokens: 9,
      responseSchema: { type: "object" },
    };
    for (const version of ["v2", "v4"]) {
      await using models = modelsWith(fake(version, [{ parts: [] }]));
      await partsOf(models.resolve("fake/large"), request);
    }
    const expected = (file: unknown) => ({
      prompt: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "file", mediaType: "image/png", data: file },
          ],
        },
        {
          role: "assistant",
          content: [
            {
              type: "tool-call",
              toolCallId: "c1",
              toolName: "find",
              input: { q: 1 },
              providerOptions: { vendor: { signature: "c2ln" } },
            },
          ],
        },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "c1", toolName: "find", output: { type: "json", value: { result: 2 } } },
          ],
        },
      ],
      tools: [{ type: "function", name: "find", description: "Finds.", inputSchema: { type: "object" } }],
      toolChoice: { type: "auto" },
      temperature: 0.5,
      maxOutputTokens: 9,
      responseFormat: { type: "json", schema: { type: "object" } },
    });
    for (const [index, file] of [data, { type: "data", data }].entries()) {
      const { abortSignal, ...options } = calls[index].options;
      assert.deepEqual(options, expected(file));
      assert.ok(abortSignal instanceof AbortSignal);
    }
  });

  it("is retried when its error is retryable, in the call and at the head of the stream", async () => {
    const busy = { message: "busy", statusCode: 503, isRetryable: true, responseHeaders: { "retry-after": "0" } };
    const error = Object.assign(new Error("busy"), busy);
    const script = [{ error: busy }, { parts: [{ type: "error", error }] }, { parts: V2_PARTS }];
    await using models = modelsWith(fake("v2", script));
    assert.equal((await partsOf(models.resolve("fake/large"))).length, 4);
    assert.equal(calls.length, 3);
  });

  it("answers the code that fits its error, without the key", async () => {
    const error = { message: "key fk-secret is wrong", statusCode: 401, isRetryable: false };
    await using models = modelsWith(fake("v2", [{ error }]));
    await assert.rejects(partsOf(models.resolve("fake/large")), {
      code: 16,
      rawMessage:
        "Model 'fake/large' answered with HTTP status 401: key [redacted] is wrong. Check the provider's API key.",
    });
  });

  it("yields a broken call as one that must not be made, and ends as other when its stream just stops", async () => {
    const broken = [
      { type: "tool-call", toolCallId: "c1", toolName: "find", input: "{" },
      { type: "finish", finishReason: "tool-calls", usage: {} },
    ];
    await using models = modelsWith(fake("v2", [{ parts: broken }, { parts: [] }]));
    const model = models.resolve("fake/large");
    assert.deepEqual(await partsOf(model), [
      { kind: "function-call", id: "c1", name: "find", args: {}, unreadableArgs: "{" },
      { kind: "finish", reason: "tool-calls", rawReason: "tool-calls", usage: {} },
    ]);
    assert.deepEqual(await partsOf(model), [{ kind: "finish", reason: "other", rawReason: "", usage: {} }]);
  });

  it("answers FAILED_PRECONDITION when it is not there, has no such export, or is no provider", async () => {
    const attempts: [Partial<AiSdkProviderConfig>, RegExp][] = [
      [
        { module: "not-installed-anywhere" },
        /cannot use 'not-installed-anywhere': .* npm install not-installed-anywhere\.$/,
      ],
      [{ factory: "createOther" }, /it has no function 'createOther'; it exports createFake, createNothing\.$/],
      [
        { factory: "createNothing" },
        /what 'createNothing' makes has no language models of the AI SDK provider interface\.$/,
      ],
    ];
    for (const [overrides, rawMessage] of attempts) {
      await using models = modelsWith(fake("v2", [], overrides));
      await assert.rejects(partsOf(models.resolve("fake/large")), { code: 9, rawMessage });
    }
  });
});
