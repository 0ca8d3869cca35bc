// Model servers of a third party (see docs/decisions), on loopback: their reading of each provider's API against ours.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type MockedProduct, mockedProduct, PROVIDER_TYPES, type ProviderType } from "./mock-provider.ts";
import { runTurn, TURN_METHODS } from "./run-turn.ts";

const GREETING = "Good day to you, dear customer.";

/** Token counts in each provider's format: eleven in, seven out. */
const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  input_tokens: 11,
  output_tokens: 7,
  promptTokenCount: 11,
  candidatesTokenCount: 7,
};

/** Each provider's finish reason for safety; the mock derives Gemini's and OpenAI's from one value. */
const SAFETY: Readonly<Record<ProviderType, string>> = {
  gemini: "content_filter",
  openai: "content_filter",
  anthropic: "refusal",
};

const FALLBACK = {
  errorHandlingSettings: {
    errorHandlingStrategy: 2,
    fallbackResponseConfig: { customFallbackMessages: { "en-US": "I am having trouble." }, maxFallbackAttempts: 2 },
  },
};

for (const provider of PROVIDER_TYPES) {
  describe(`a turn whose model is served by ${provider}`, () => {
    it("has the whole text, in pieces when streamed, and the provider's count of tokens", async () => {
      await using product = await mockedProduct(provider);
      product.mock.onMessage("hello", { content: GREETING, usage: USAGE });
      for (const method of TURN_METHODS) {
        const turn = await runTurn(product, method, `greeting-${method}`, { text: "hello" });
        assert.equal(turn.pieces.join(""), GREETING);
        assert.equal(turn.pieces.length > 1, method === "streamRunSession");
        const [call = {}] = turn.modelCalls;
        assert.deepEqual([turn.completed, call["input token count"], call["output token count"]], [true, 11, 7]);
      }
    });

    it("returns a call whose arguments came in chunks, and continues with the client's response", async () => {
      await using product = await mockedProduct(provider);
      const args = { order: 'A-1001 "express"\n', parts: [1, 2, 3] };
      const toolCalls = [{ name: "look_up", arguments: JSON.stringify(args) }];
      product.mock.on({ userMessage: "order", hasToolResult: false }, { content: "One moment. ", toolCalls });
      product.mock.on({ hasToolResult: true, toolResultContains: "shipped" }, { content: "It was shipped." });
      for (const method of TURN_METHODS) {
        const session = `order-call-${method}`;
        const asked = await runTurn(product, method, session, { text: "where is my order" });
        assert.deepEqual(
          [asked.pieces.join(""), asked.toolCalls.map(({ displayName, args: given }) => [displayName, given])],
          ["One moment. ", [["look_up", args]]],
        );
        const [{ id, tool } = { id: "", tool: "" }] = asked.toolCalls;
        const toolResponses = { toolResponses: [{ id, tool, response: { output: "shipped" } }] };
        const answered = await runTurn(product, method, session, { toolResponses });
        assert.deepEqual([answered.pieces.join(""), answered.completed], ["It was shipped.", true]);
      }
    });

    it("receives two calls of one answer, each with its own arguments", async () => {
      await using product = await mockedProduct(provider);
      const toolCalls = ["A-1001", "A-1002"].map((order) => ({
        name: "look_up",
        arguments: JSON.stringify({ order }),
      }));
      product.mock.onMessage("orders", { toolCalls });
      for (const method of TURN_METHODS) {
        const turn = await runTurn(product, method, `two-calls-${method}`, { text: "both orders" });
        assert.deepEqual(
          turn.toolCalls.map(({ args }) => args),
          [{ order: "A-1001" }, { order: "A-1002" }],
        );
        assert.equal(new Set(turn.toolCalls.map(({ id }) => id)).size, 2);
      }
    });

    it("fails as empty when the provider stopped for safety before the first text", async () => {
      await using product = await mockedProduct(provider);
      product.mock.onMessage("unsafe", { content: "", finishReason: SAFETY[provider] });
      for (const method of TURN_METHODS) {
        const { httpStatus, error } = await runTurn(product, method, `unsafe-${method}`, { text: "unsafe" });
        assert.equal(httpStatus, 400);
        assert.match(error?.message ?? "", /returned an empty answer \(safety\)/);
      }
      assert.deepEqual(product.statuses(), [200, 200]);
    });

    it("waits as long as Retry-After asks, then succeeds", async () => {
      await using product = await mockedProduct(provider);
      limitedFirst(product, 0);
      for (const method of TURN_METHODS) {
        product.mock.resetMatchCounts();
        const turn = await runTurn(product, method, `limited-${method}`, { text: "limited" });
        assert.deepEqual([turn.pieces.join(""), turn.completed], ["Now it works.", true]);
      }
      assert.deepEqual(product.statuses(), [429, 200, 429, 200]);
    });

    it("fails at once when Retry-After exceeds the longest delay", async () => {
      await using product = await mockedProduct(provider);
      limitedFirst(product, 3_600);
      const { httpStatus, error } = await runTurn(product, "runSession", "patience-1", { text: "limited" });
      assert.deepEqual([httpStatus, error?.status], [429, "RESOURCE_EXHAUSTED"]);
      assert.match(error?.message ?? "", /slow down/);
      assert.deepEqual(product.statuses(), [429]);
    });

    it("makes three attempts when the provider fails or breaks the connection before the first text", async () => {
      await using product = await mockedProduct(provider);
      product.mock.onMessage("dropped", { content: "never" }, { chaos: { dropRate: 1 } });
      product.mock.onMessage("broken", { content: "never" }, { chaos: { disconnectRate: 1 } });
      for (const text of ["dropped", "broken"]) {
        const { httpStatus, error } = await runTurn(product, "runSession", `failing-${text}`, { text });
        assert.equal(httpStatus, 503);
        assert.match(error?.message ?? "", /tried 3 times/);
      }
      assert.deepEqual(product.statuses(), [500, 500, 500, 0, 0, 0]);
    });

    it("fails when a stream is cut after its first text, is not retried, and is not stored", async () => {
      await using product = await mockedProduct(provider);
      product.mock.onMessage("cut", { content: "This will never be heard to its end, will it?" }, CUT);
      const turn = await runTurn(product, "streamRunSession", "cut-short-1", { text: "cut" });
      assert.deepEqual([turn.httpStatus, turn.completed, turn.error?.status], [200, false, "UNAVAILABLE"]);
      assert.match("This will never be heard to its end, will it?", new RegExp(`^${turn.pieces.join("")}.`));
      assert.ok(turn.pieces.length > 0);
      assert.equal(product.statuses().length, 1);
      const stored = await fetch(`${product.server.address}/v1beta/${product.app}/conversations/cut-short-1`);
      assert.equal(stored.status, 404);
    });

    it("fails as empty when the whole answer is not JSON", async () => {
      await using product = await mockedProduct(provider);
      product.mock.onMessage("broken", { content: "never" }, { chaos: { malformedRate: 1 } });
      const { httpStatus, error } = await runTurn(product, "runSession", "malformed-1", { text: "broken" });
      assert.equal(httpStatus, 503);
      assert.match(error?.message ?? "", /returned an empty answer \(malformed\)/);
    });

    it("sends the app's fallback up to its limit, then ends the session", async () => {
      await using product = await mockedProduct(provider, FALLBACK);
      product.mock.onMessage("hello", { error: { message: "overloaded" }, status: 503 });
      const heard: unknown[] = [];
      for (let count = 0; count < 3; count++) {
        const { pieces, completed } = await runTurn(product, "runSession", "fallback-1", { text: "hello" });
        heard.push([pieces.join(""), completed]);
      }
      assert.deepEqual(heard, [
        ["I am having trouble.", true],
        ["I am having trouble.", true],
        ["", true],
      ]);
    });

    it("is not stored, and never shows the key, when the provider rejects the key", async () => {
      await using product = await mockedProduct(provider);
      product.mock.onMessage("hello", { error: { message: "the key secret-key is bad" }, status: 401 });
      const { httpStatus, error } = await runTurn(product, "runSession", "bad-key-1", { text: "hello" });
      assert.ok(httpStatus >= 400);
      assert.doesNotMatch(JSON.stringify(error), /secret-key/);
      assert.deepEqual(product.statuses(), [401]);
    });
  });
}

/** Each piece in its own time, so that the first words are read before the connection breaks. */
const CUT = { truncateAfterChunks: 5, latency: 10 };

function limitedFirst({ mock }: MockedProduct, retryAfter: number): void {
  const error = { message: "slow down", type: "rate_limit_error" };
  mock.on({ userMessage: "limited", sequenceIndex: 0 }, { error, status: 429, retryAfter });
  mock.onMessage("limited", { content: "Now it works." });
}
