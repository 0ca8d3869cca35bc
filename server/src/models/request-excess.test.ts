import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, reasonOf } from "#status";
import { ModelCallError, toModelStatusError } from "./model-call-error.ts";
import { shareThatFits } from "./request-excess.ts";

/** The status error of a refusal in a provider's words. */
function refusal(message: string, status = 400) {
  return toModelStatusError("openai/m:400b", new ModelCallError(message, { status }), 1, (text) => text);
}

/** As the providers and servers word it. */
const TOO_LONG: readonly (readonly [string, number])[] = [
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 16384 tokens. Please reduce the length of the messages.",
    0.4,
  ],
  ["Your input exceeds the context window of this model. Please adjust your input and try again.", 0.5],
  ["the request exceeds the available context size. try increasing the context size or enable context shift", 0.5],
  ["prompt is too long: 250000 tokens > 200000 maximum", 0.64],
  ["input length and `max_tokens` exceed context limit: 180000 + 40000 > 200000, decrease input length", 0.16],
  ["The input token count (2000000) exceeds the maximum number of tokens allowed (1000000).", 0.4],
  ["maximum context length is 1,000 tokens, requested 1,000,000 tokens", 0.05],
];

describe("a request that is longer than the model's context", () => {
  for (const [message, share] of TOO_LONG) {
    it(`is recognised in: ${message}`, () => {
      const error = refusal(message);
      assert.equal(reasonOf(error), "MODEL_CONTEXT_EXCEEDED");
      assert.equal(error.code, Code.FailedPrecondition);
      assert.match(
        error.rawMessage,
        /^Model 'openai\/m:400b' answered with HTTP status 400: .+ or use a model with a larger context\.$/,
      );
      assert.equal(shareThatFits(error)?.toFixed(3), share.toFixed(3));
    });
  }

  it("is not what any other refusal is about", () => {
    const others = [
      "max_tokens is too large: 32000. This model supports at most 16384 completion tokens.",
      "Invalid schema for function 'look'",
      "Invalid value: 'tool'. Supported values are: 'system' and 'user'.",
    ];
    for (const message of others) {
      assert.equal(refusal(message).code, Code.InvalidArgument, message);
      assert.equal(shareThatFits(refusal(message)), undefined);
    }
    assert.equal(refusal("maximum context length", 500).code, Code.Unavailable);
    assert.equal(shareThatFits(new Error("maximum context length is 8192")), undefined);
  });
});

describe("a request with more functions than the model takes", () => {
  const MESSAGES = [
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 202 instead.",
    "At most 512 function declarations can be provided.",
    "Too many tools: 300",
  ];
  for (const message of MESSAGES) {
    it(`is told with what to do: ${message}`, () => {
      const error = refusal(message);
      assert.equal(reasonOf(error), "MODEL_TOO_MANY_TOOLS");
      assert.match(error.rawMessage, /Give some of the agent's tools to child agents/);
      assert.equal(shareThatFits(error), undefined);
    });
  }
});
