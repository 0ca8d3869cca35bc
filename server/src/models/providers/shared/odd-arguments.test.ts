import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "#base";
import type { ProviderConfig } from "#models";
import { HELLO, modelsWith, partsOf } from "../../__fixtures__/call-model.ts";
import { fakeProvider } from "../../__fixtures__/fake-provider.ts";

const FIND = { name: "find", description: "Finds.", parameters: { type: "object" } };

const common = { name: "p", keySource: "KEY", headers: {} };

/** Each provider: its configuration, and a whole answer with one call of these arguments. */
const PROVIDERS: readonly (readonly [config: (url: string) => ProviderConfig, answer: (args: JsonValue) => object])[] =
  [
    [
      (url) => ({ ...common, kind: "openai", apiKey: "secret", baseUrl: `${url}/v1` }),
      (args) => ({
        choices: [
          {
            message: { tool_calls: [{ id: "c1", function: { name: "find", arguments: args } }] },
            finish_reason: "stop",
          },
        ],
      }),
    ],
    [
      (url) => ({ ...common, kind: "anthropic", apiKey: "secret", baseUrl: url }),
      (args) => ({
        type: "message",
        content: [{ type: "tool_use", id: "c1", name: "find", input: args }],
        stop_reason: "tool_use",
      }),
    ],
    [
      (url) => ({ ...common, kind: "gemini", baseUrl: url, access: { kind: "api-key", apiKey: "secret" } }),
      (args) => ({
        candidates: [
          { content: { parts: [{ functionCall: { id: "c1", name: "find", args } }] }, finishReason: "STOP" },
        ],
      }),
    ],
  ];

/** Arguments as gateways send them, and what a call has of them. */
const ARGUMENTS: readonly (readonly [sent: JsonValue, read: object])[] = [
  [{ q: "x" }, { args: { q: "x" } }],
  ['{"q":"x"}', { args: { q: "x" } }],
  [null, { args: {} }],
  ["", { args: {} }],
  [["x"], { args: {}, unreadableArgs: '["x"]' }],
  [7, { args: {}, unreadableArgs: "7" }],
  ["q=x", { args: {}, unreadableArgs: "q=x" }],
];

describe("the arguments of a call", () => {
  for (const [config, answer] of PROVIDERS) {
    it(`are read as ${config("http://host").kind} has them, and what is no object is never dropped (TURN-78)`, async () => {
      const replies = ARGUMENTS.map(([sent]) => ({ pieces: [JSON.stringify(answer(sent))] }));
      await using provider = await fakeProvider(...replies);
      await using models = modelsWith(config(provider.url));
      for (const [sent, read] of ARGUMENTS) {
        const [call] = await partsOf(models.resolve("p/m"), { ...HELLO, tools: [FIND] }, { streaming: false });
        assert.deepEqual(call, { kind: "function-call", id: "c1", name: "find", ...read }, JSON.stringify(sent));
      }
    });
  }
});
