import assert from "node:assert/strict";
import { describe } from "node:test";
import { say } from "#testing";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const PLAIN = { agents: { Root: {} } };
const GREETING =
  "def before_model_callback(callback_context, llm_request):\n" +
  "    if callback_context.user_content.parts[0].text == '<event>session start</event>':\n" +
  "        return LlmResponse.from_parts([Part.from_text('Welcome.')])\n";

describe("turns: configs and inputs", () => {
  verifiesTurn("turn-welcome-text", {
    app: { agents: { Root: { beforeModelCallbacks: [{ pythonCode: GREETING }] } } },
    model: [],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("<event>session start</event>")).texts, ["Welcome."]);
    },
  });

  verifiesTurn("turn-blob", {
    app: PLAIN,
    model: [say("A list.")],
    talk: async ({ say: ask, model }) => {
      const data = Buffer.from("a,b\n1,2\n").toString("base64");
      await ask([{ blob: { mimeType: "text/csv", data } }, { text: "What is this?" }]);
      const [part] = model.requests[0]?.messages[0]?.parts ?? [];
      const seen = part?.kind === "blob" && [part.mimeType, Buffer.from(part.data).toString("base64")];
      assert.deepEqual(seen, ["text/csv", data]);
    },
  });

  verifiesTurn("turn-config-extra-keys", {
    app: PLAIN,
    model: [say("Hello.")],
    talk: async ({ say: ask, app }) => {
      const strangers = { app_version: `${app}/app_versions/7`, accessToken: "t", environment: "prod" };
      assert.deepEqual((await ask("Hello", strangers)).texts, ["Hello."]);
    },
  });

  verifiesTurn("turn-audio-config", {
    app: PLAIN,
    model: [say("Hello.")],
    talk: async ({ say: ask }) => {
      const { error } = await ask([{ audio: "AAAA" }]);
      assert.equal(error?.code, "INVALID_ARGUMENT");
      assert.match(error?.message ?? "", /audio/);
      assert.deepEqual((await ask("Hello")).texts, ["Hello."]);
    },
  });
});
