import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ErrorHandlingSettings_ErrorHandlingStrategy as Strategy } from "@frontdesk/protos/ces/app";
import { unavailable } from "#status";
import { ScriptedModel, spoken, testSession } from "#testing/engine";

const OUTAGE = unavailable("The model is down.");

async function fallbackIn(defaultLanguageCode: string, customFallbackMessages: Record<string, string>) {
  await using session = await testSession({
    model: new ScriptedModel(OUTAGE),
    agents: { Root: {} },
    app: {
      languageSettings: { defaultLanguageCode },
      errorHandlingSettings: {
        errorHandlingStrategy: Strategy.FALLBACK_RESPONSE,
        fallbackResponseConfig: { customFallbackMessages },
      },
    },
  });
  return spoken(await session.send("Hi"))[0];
}

describe("a fallback response", () => {
  it("is in the app's language, its root or a sister of it, whatever the case", async () => {
    const messages = { fr: "Désolé.", "en-US": "Sorry.", "pt-BR": "Desculpe.", pt: "Perdão." };
    assert.deepEqual(
      [
        await fallbackIn("EN-us", messages),
        await fallbackIn("en-GB", messages),
        await fallbackIn("pt-PT", messages),
        await fallbackIn("fr", messages),
        await fallbackIn("de-DE", messages),
        await fallbackIn("de-DE", {}),
      ],
      [
        "Sorry.",
        "Sorry.",
        "Perdão.",
        "Désolé.",
        "Désolé.",
        "Sorry, something went wrong on our side. Please try again.",
      ],
    );
  });

  it("is followed by the end of the session, escalated when the app sets that, after the maximum of attempts", async () => {
    const model = new ScriptedModel(OUTAGE, OUTAGE);
    await using session = await testSession({
      model,
      agents: { Root: {} },
      app: {
        errorHandlingSettings: {
          errorHandlingStrategy: Strategy.FALLBACK_RESPONSE,
          fallbackResponseConfig: { maxFallbackAttempts: 1 },
          endSessionConfig: { escalateSession: true },
        },
      },
    });
    await session.send("a");
    await session.restart();
    const [end] = await session.send("b");
    assert.deepEqual(end?.outputType.case === "endSession" && end.outputType.value.metadata, {
      reason: "unavailable",
      session_escalated: true,
    });
  });
});

describe("keys on a channel without keypad", () => {
  it("are ignored, with a warning in the trace", async () => {
    await using session = await testSession({
      model: new ScriptedModel(),
      agents: { Root: {} },
      app: { defaultChannelProfile: { disableDtmf: true } },
    });
    const outputs = await session.send([{ case: "dtmf", value: "1#" }]);
    assert.deepEqual(outputs.at(-1)?.diagnosticInfo?.messages, []);
    assert.deepEqual(outputs.at(-1)?.diagnosticInfo?.rootSpan?.attributes?.warnings, [
      "The DTMF input was ignored: the channel profile disables DTMF.",
    ]);
  });
});
