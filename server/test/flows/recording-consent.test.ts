import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { nonEmptyFields } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { appOfOneAgent } from "./app-of-one-agent.ts";

/** Says how many messages it got, so that an answer shows what the session still knows. */
const COUNTING: LanguageModel = {
  label: "test/counting",
  capabilities: LLM_CAPABILITIES,
  async *stream({ messages }): AsyncGenerator<StreamPart, void> {
    yield { kind: "text-delta", text: `I have ${messages.length} messages.` };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

let now = Date.now();
let server: TestServer;
before(async () => {
  server = await startTestServer({ model: COUNTING, clock: { now: () => now } });
  await appOfOneAgent(server, "asking", {}, { loggingSettings: { requiredRecordingConsent: true } });
  await appOfOneAgent(server, "silent", {});
});
after(() => server[Symbol.asyncDispose]());

const rest = restOf(() => server);
const appName = (app: string) => `projects/test/locations/us/apps/${app}`;

async function say(app: string, session: string, text: string, recordingControl?: string): Promise<string> {
  const { outputs } = await rest("POST", `${appName(app)}/sessions/${session}:runSession`, {
    config: {},
    inputs: [{ text, ...nonEmptyFields({ recordingControl }) }],
  });
  return outputs[0].text;
}

/** The words of the user that a conversation has, by turn; undefined = it is not shown at all. */
async function heard(app: string, session: string): Promise<readonly string[] | undefined> {
  const response = await fetch(`${server.address}/v1beta/${appName(app)}/conversations/${session}`);
  if (response.status === 404) return undefined;
  const { turns } = (await response.json()) as { turns: { messages?: { chunks: { text?: string }[] }[] }[] };
  return turns.map(({ messages = [] }) => messages[0]?.chunks[0]?.text ?? "");
}

describe("an app that requires consent to be recorded", () => {
  it("records nothing until the client allows it, and each turn by what is in effect when it ends", async () => {
    assert.equal(await say("asking", "caller-1", "My name is Ada"), "I have 1 messages.");
    assert.equal(await heard("asking", "caller-1"), undefined);
    assert.equal((await rest("GET", `${appName("asking")}/conversations`)).conversations, undefined);
    assert.equal(await say("asking", "caller-1", "You may record", "ENABLED"), "I have 3 messages.");
    assert.equal(await say("asking", "caller-1", "A first order"), "I have 5 messages.");
    assert.equal(await say("asking", "caller-1", "My card is secret", "DISABLED"), "I have 7 messages.");
    assert.deepEqual(await heard("asking", "caller-1"), ["", "You may record", "A first order", ""]);
  });

  it("finds no words of what was not recorded", async () => {
    const found = async (words: string) =>
      (await rest("GET", `${appName("asking")}/conversations?filter=${encodeURIComponent(`"${words}"`)}`))
        .conversations;
    assert.equal((await found("order")).length, 1);
    assert.equal(await found("secret"), undefined);
  });

  it("keeps the words for the session only until it has been idle for a day", async () => {
    now += 25 * 3_600_000;
    await server.app.retention.pass(new AbortController().signal);
    assert.deepEqual(await heard("asking", "caller-1"), ["", "You may record", "A first order", ""]);
    assert.equal(await say("asking", "caller-1", "Still there?", "ENABLED"), "I have 5 messages.");
    await say("asking", "caller-2", "Never recorded");
    now += 25 * 3_600_000;
    await server.app.retention.pass(new AbortController().signal);
    assert.equal(await say("asking", "caller-2", "Again"), "I have 1 messages.");
    assert.equal(await heard("asking", "caller-2"), undefined);
  });
});

describe("an app that does not", () => {
  it("records by its settings until the client says otherwise", async () => {
    await say("silent", "caller-3", "One");
    await say("silent", "caller-3", "Two", "OFF");
    await say("silent", "caller-3", "Three");
    await say("silent", "caller-3", "Four", "RECORDING_CONTROL_ON");
    assert.deepEqual(await heard("silent", "caller-3"), ["One", "", "", "Four"]);
  });

  it("refuses a word whose meaning is not certain, and does nothing of the turn", async () => {
    const response = await fetch(`${server.address}/v1beta/${appName("silent")}/sessions/caller-4:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: {}, inputs: [{ text: "Hi", recordingControl: "MAYBE" }] }),
    });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /inputs\[0\]\.recording_control: 'MAYBE' is not known.*ENABLED or DISABLED/);
    assert.equal(await heard("silent", "caller-4"), undefined);
  });
});
