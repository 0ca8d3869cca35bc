import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { nonEmptyFields } from "#base";
import { HELLO, modelsWith, partsOf } from "../../__fixtures__/call-model.ts";
import { eventStream, fakeProvider, jsonDocument } from "../../__fixtures__/fake-provider.ts";
import type { ModelRequest } from "../../contract.ts";
import { joinTexts } from "../../http/join-texts.ts";
import type { GeminiProviderConfig } from "../../models-config.ts";

const HERE = import.meta.dirname;

const google = (baseUrl: string): GeminiProviderConfig => ({
  kind: "gemini",
  name: "google",
  keySource: "GEMINI_API_KEY",
  headers: {},
  baseUrl,
  access: { kind: "api-key", apiKey: "secret-key" },
});

describe("Gemini", () => {
  it("streams text, with the signature and the tokens, however the bytes are cut", async () => {
    const replies = [1, 7, 64, 100_000].map((size) => eventStream(HERE, "text.sse", size));
    await using provider = await fakeProvider(...replies);
    await using models = modelsWith(google(provider.url));
    for (const _ of replies) {
      assert.deepEqual(joinTexts(await partsOf(models.resolve("gemini-2.5-flash"))), [
        { kind: "text-delta", text: "Die Fähre fährt um 10:30 🛳️ – 東京" },
        { kind: "text-delta", text: "", signature: "Q0FFU0R3Zz0=" },
        {
          kind: "finish",
          reason: "stop",
          rawReason: "STOP",
          usage: { inputTokens: 21, outputTokens: 12, thoughtTokens: 31, cachedTokens: 16 },
        },
      ]);
    }
    assert.equal(provider.requests[0]?.path, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
    assert.equal(provider.requests[0]?.headers["x-goog-api-key"], "secret-key");
    assert.ok(provider.connections() <= 2, "connections are used again");
  });

  it("yields function calls complete, in order, with their signatures, and an id for those without one", async () => {
    await using provider = await fakeProvider(eventStream(HERE, "tools.sse", 11));
    await using models = modelsWith(google(provider.url));
    assert.deepEqual(await partsOf(models.resolve("gemini-2.5-flash")), [
      { kind: "text-delta", text: "Let me look." },
      {
        kind: "function-call",
        id: "fc_1",
        name: "find_order",
        args: { number: "A-17", open: true },
        signature: "RXJFQkNxNEI=",
      },
      { kind: "function-call", id: "adk-uuid-1", name: "shop.stock_of", args: {} },
      { kind: "finish", reason: "tool-calls", rawReason: "STOP", usage: { inputTokens: 21, outputTokens: 20 } },
    ]);
  });

  it("requests one whole answer without streaming", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(google(provider.url));
    const parts = await partsOf(models.resolve("gemini-2.5-flash"), HELLO, { streaming: false });
    assert.deepEqual(parts, [
      { kind: "text-delta", text: "Bonjour." },
      { kind: "function-call", id: "adk-uuid-1", name: "find_order", args: { number: "A-17" }, signature: "QUJD" },
      { kind: "finish", reason: "tool-calls", rawReason: "STOP", usage: { inputTokens: 21, outputTokens: 5 } },
    ]);
    assert.equal(provider.requests[0]?.path, "/v1beta/models/gemini-2.5-flash:generateContent");
  });

  it("translates function names that Gemini rejects, and translates them back", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(google(provider.url));
    const tools = [{ name: "find order", description: "Finds.", parameters: { type: "object", properties: {} } }];
    const parts = await partsOf(models.resolve("gemini-2.5-flash"), { ...HELLO, tools }, { streaming: false });
    const description = "Finds. Instructions call this 'find order'.";
    const declared = [{ functionDeclarations: [{ name: "find_order", description }] }];
    assert.deepEqual(Object.entries(provider.requests[0]?.body ?? {}).find(([key]) => key === "tools")?.[1], declared);
    assert.equal(parts[1]?.kind === "function-call" && parts[1].name, "find order");
  });

  it("sends instruction, history, images, functions, safety settings, limits and schema in Gemini's format", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(google(provider.url));
    const request: ModelRequest = {
      system: "You sell boats.",
      messages: [
        {
          role: "user" as const,
          parts: [
            { kind: "text" as const, text: "What is this?" },
            { kind: "blob" as const, mimeType: "image/png", data: new Uint8Array([1, 2, 3, 250]) },
          ],
        },
        {
          role: "model" as const,
          parts: [
            { kind: "text" as const, text: "I will look.", signature: "c2ln" },
            { kind: "function-call" as const, id: "fc_1", name: "find", args: { q: "boat" }, signature: "Y2FsbA==" },
            { kind: "function-call" as const, id: "adk-9", name: "list", args: {} },
          ],
        },
        {
          role: "user" as const,
          parts: [
            { kind: "function-response" as const, id: "fc_1", name: "find", response: { result: "a boat" } },
            { kind: "function-response" as const, id: "adk-9", name: "list", response: { result: [] } },
            { kind: "text" as const, text: "" },
          ],
        },
        { role: "model" as const, parts: [{ kind: "text" as const, text: "" }] },
      ],
      tools: [
        { name: "find", description: "Finds.", parameters: { type: "object", properties: { q: { type: "string" } } } },
        { name: "list", description: "Lists.", parameters: { type: "object", properties: {} } },
      ],
      temperature: 0.5,
      maxOutputTokens: 100,
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }],
      responseSchema: { type: "object", properties: { is: { type: "string" } } },
    };
    await partsOf(models.resolve("gemini-2.5-flash"), request, { streaming: false });
    assert.deepEqual(provider.requests[0]?.body, {
      systemInstruction: { parts: [{ text: "You sell boats." }] },
      contents: [
        {
          role: "user",
          parts: [{ text: "What is this?" }, { inlineData: { mimeType: "image/png", data: "AQID+g==" } }],
        },
        {
          role: "model",
          parts: [
            { text: "I will look.", thoughtSignature: "c2ln" },
            { functionCall: { id: "fc_1", name: "find", args: { q: "boat" } }, thoughtSignature: "Y2FsbA==" },
            { functionCall: { name: "list", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "fc_1", name: "find", response: { result: "a boat" } } },
            { functionResponse: { name: "list", response: { result: [] } } },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: "find",
              description: "Finds.",
              parametersJsonSchema: { type: "object", properties: { q: { type: "string" } } },
            },
            { name: "list", description: "Lists." },
          ],
        },
      ],
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }],
      generationConfig: {
        temperature: 0.5,
        maxOutputTokens: 100,
        responseMimeType: "application/json",
        responseJsonSchema: { type: "object", properties: { is: { type: "string" } } },
      },
    });
  });

  it("replaces a missing or foreign signature where Gemini 3 requires one, on the first call of a message only", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "whole.json"), jsonDocument(HERE, "whole.json"));
    await using models = modelsWith(google(provider.url));
    const call = (id: string) => ({
      kind: "function-call" as const,
      id,
      name: "find",
      args: {},
      signature: "anthropic:[]",
    });
    const messages = [...HELLO.messages, { role: "model" as const, parts: [call("a"), call("b")] }];
    for (const name of ["gemini-3-flash", "gemini-2.5-flash"]) {
      await partsOf(models.resolve(name), { ...HELLO, messages }, { streaming: false });
    }
    const sent = (thoughtSignature?: string) => [
      { role: "user", parts: [{ text: "Hello" }] },
      {
        role: "model",
        parts: [
          { functionCall: { id: "a", name: "find", args: {} }, ...nonEmptyFields({ thoughtSignature }) },
          { functionCall: { id: "b", name: "find", args: {} } },
        ],
      },
    ];
    assert.deepEqual(provider.requests[0]?.body.contents, sent("skip_thought_signature_validator"));
    assert.deepEqual(provider.requests[1]?.body.contents, sent());
  });

  it("reports why there is no answer: a blocked prompt, a malformed call, an empty response", async () => {
    const empty = { pieces: ["{}"] };
    await using provider = await fakeProvider(
      jsonDocument(HERE, "blocked.json"),
      ...[1, 2, 3].map(() => eventStream(HERE, "malformed-call.sse")),
      empty,
    );
    await using models = modelsWith(google(provider.url));
    const model = models.resolve("gemini-2.5-flash");
    assert.deepEqual(await partsOf(model, HELLO, { streaming: false }), [
      { kind: "finish", reason: "safety", rawReason: "PROHIBITED_CONTENT", usage: { inputTokens: 9 } },
    ]);
    assert.deepEqual(await partsOf(model), [
      {
        kind: "finish",
        reason: "malformed",
        rawReason: "MALFORMED_FUNCTION_CALL: Malformed function call: print(default_api.find_order(",
        usage: { inputTokens: 21 },
      },
    ]);
    assert.deepEqual(await partsOf(model, HELLO, { streaming: false }), [
      { kind: "finish", reason: "other", rawReason: "", usage: {} },
    ]);
  });

  it("answers UNAVAILABLE when an error comes inside the stream, and does not start again", async () => {
    const wasHeard = Promise.withResolvers<void>();
    const [text = "", error = ""] = readFileSync(`${HERE}/__fixtures__/error-inside.sse`, "utf8").split(
      /(?<=\r\n\r\n)/,
    );
    await using provider = await fakeProvider({ pieces: [text, wasHeard.promise, error] });
    await using models = modelsWith(google(provider.url));
    const received: unknown[] = [];
    const reading = async () => {
      const { signal } = new AbortController();
      for await (const part of models.resolve("gemini-2.5-flash").stream(HELLO, { signal })) {
        received.push(part);
        wasHeard.resolve();
      }
    };
    await assert.rejects(reading, {
      code: 14,
      rawMessage:
        "Model 'google/gemini-2.5-flash' answered with HTTP status 503: The model is overloaded. Please try again later.",
    });
    assert.deepEqual(received, [{ kind: "text-delta", text: "Half a sen" }]);
    assert.equal(provider.requests.length, 1);
  });

  it("answers INVALID_ARGUMENT with Google's own message for an invalid key, without the key", async () => {
    await using provider = await fakeProvider(jsonDocument(HERE, "key-invalid.json", 400));
    await using models = modelsWith(google(provider.url));
    await assert.rejects(partsOf(models.resolve("gemini-2.5-flash")), {
      code: 3,
      rawMessage:
        "Model 'google/gemini-2.5-flash' answered with HTTP status 400: API key not valid. Please pass a valid API key.",
    });
  });
});
