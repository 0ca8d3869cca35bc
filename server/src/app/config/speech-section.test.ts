import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readConfig } from "../config.ts";

const ENVIRONMENT = { OPENAI_API_KEY: "openai-key", DEEPGRAM_API_KEY: "deepgram-key", OWN_KEY: "own-key" };

/** The voices that a section of the config file configures. */
function voiceOf(section: string, environment: NodeJS.ProcessEnv = ENVIRONMENT) {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-speech-"));
  try {
    const file = join(folder, "config.yaml");
    writeFileSync(file, section);
    return readConfig(["--config", file], environment).voice;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the section speech", () => {
  it("has no provider by default, whatever keys are set", () => {
    assert.deepEqual(voiceOf("log: warn"), { providers: {} });
  });

  it("completes providers with the vendor's address, usual key and model", () => {
    const { providers } = voiceOf("speech: { listen: { type: deepgram }, speak: { type: openai, voice: nova } }");
    assert.deepEqual(providers, {
      listen: { type: "deepgram", baseUrl: "https://api.deepgram.com", apiKey: "deepgram-key", model: "nova-3" },
      speak: {
        type: "openai",
        baseUrl: "https://api.openai.com/v1",
        apiKey: "openai-key",
        voice: "nova",
        voices: {},
        model: "gpt-4o-mini-tts",
      },
    });
  });

  it("sends the vendor's key to no other server, unless it is configured", () => {
    const keyFor = (more: string) => {
      const { listen } = voiceOf(
        `speech: { listen: { type: openai, baseUrl: "http://127.0.0.1:8000/v1/"${more} } }`,
      ).providers;
      return listen && [listen.baseUrl, listen.apiKey];
    };
    assert.deepEqual(keyFor(""), ["http://127.0.0.1:8000/v1", ""]);
    assert.deepEqual(keyFor(", apiKeyEnv: OWN_KEY"), ["http://127.0.0.1:8000/v1", "own-key"]);
    assert.deepEqual(keyFor(", apiKey: written"), ["http://127.0.0.1:8000/v1", "written"]);
  });

  it("has defaults for espeak-ng", () => {
    assert.deepEqual(voiceOf("speech: { speak: { type: program } }").providers.speak, {
      type: "program",
      command: "espeak-ng",
      args: ["--stdin", "--stdout", "-v", "{voice}", "-s", "{wordsPerMinute}"],
      voice: "",
      voices: {},
    });
  });

  it("rejects invalid settings by name", () => {
    assert.throws(() => voiceOf("speech: { listen: { type: program } }"), /speech\.listen\.type/);
    assert.throws(() => voiceOf("speech: { endOfSpeechMs: 10 }"), /speech\.endOfSpeechMs/);
    assert.throws(
      () => voiceOf("speech: { listen: { type: google, apiKeyEnv: NOT_SET } }"),
      /speech\.listen\.apiKeyEnv: the environment variable NOT_SET is not set/,
    );
  });
});
