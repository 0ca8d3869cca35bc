import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, it } from "node:test";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { restOf } from "../rest.ts";
import { SAID } from "./buzz.ts";
import { openVoice } from "./voice-client.ts";
import { startVoiceServer, text, type VoiceServer } from "./voice-server.ts";

const SYNTHESIZED = {
  "en-US": { voice: "english" },
  es: { voice: "spanish" },
};

let voice: VoiceServer;
before(async () => {
  voice = await startVoiceServer({ voices: { english: "aura-2-thalia-en", spanish: "aura-2-celeste-es" } });
  voice.answer = (words) =>
    text(words === "hola" ? "Su pedido está en camino. ¿Qué más puedo hacer por usted?" : "Your order is on its way.");
});
after(() => voice[Symbol.asyncDispose]());

/** What the provider is asked in a call in which the user says hello and hola: languages that it listens for, and voices. */
async function askedOf(appId: string, languageSettings: object) {
  const app = await appOfOneAgent(voice.server, appId, { instruction: "Help." }, {
    languageSettings: { defaultLanguageCode: "en-US", ...languageSettings },
    audioProcessingConfig: { synthesizeSpeechConfigs: SYNTHESIZED },
  } as never);
  const before = voice.provider.calls.length;
  await using caller = await openVoice(voice.server.address, "gRPC", `${app}/sessions/${randomUUID()}`);
  for (const words of ["hello", "hola"]) {
    voice.understands.push(words);
    caller.speak(SAID);
    await caller.turn();
  }
  const session = `${app}/sessions/${randomUUID()}`;
  const outputAudioConfig = { audioEncoding: "MULAW", sampleRateHertz: 8_000 };
  await restOf(() => voice.server)("POST", `${session}:runSession`, {
    config: { session, outputAudioConfig },
    inputs: [{ text: "hola" }],
  });
  const parameters = voice.provider.calls
    .slice(before)
    .map((call) => new URLSearchParams(call.slice(call.lastIndexOf(" ") + 1)));
  return {
    languages: [...new Set(parameters.flatMap((each) => each.get("language") ?? []))],
    voices: [...new Set(parameters.flatMap((each) => (each.has("language") ? [] : (each.get("model") ?? []))))],
  };
}

it("An app of several languages listens for them, and speaks each text with the voice of its language (TURN-58)", async () => {
  assert.deepEqual(
    await askedOf("several-languages", { supportedLanguageCodes: ["es-ES"], enableMultilingualSupport: true }),
    { languages: ["multi"], voices: ["aura-2-thalia-en", "aura-2-celeste-es"] },
  );
});

it("Any other app listens and speaks in its default language", async () => {
  assert.deepEqual(await askedOf("one-language", { supportedLanguageCodes: ["es-ES"] }), {
    languages: ["en-US"],
    voices: ["aura-2-thalia-en"],
  });
});
