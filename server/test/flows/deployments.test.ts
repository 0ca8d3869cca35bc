import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { nonEmptyFields } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/deployed`;

/** The last request that the model got. */
let asked: ModelRequest | undefined;

/** Says its own instruction, so that an answer shows which version of the app gave it. */
const ECHO: LanguageModel = {
  label: "test/echo",
  capabilities: LLM_CAPABILITIES,
  async *stream(request): AsyncGenerator<StreamPart, void> {
    asked = request;
    yield { kind: "text-delta", text: request.system };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

let server: TestServer;
before(async () => {
  server = await startTestServer({ model: ECHO });
});
after(() => server[Symbol.asyncDispose]());

const call = restOf(() => server);

const instruct = (instruction: string) => call("PATCH", `${APP}/agents/front?updateMask=instruction`, { instruction });
const release = (id: string) => call("POST", `${APP}/versions?appVersionId=${id}`, { displayName: id });

async function ask(session: string, deployment?: string): Promise<string> {
  const name = `${APP}/sessions/${session}`;
  const { outputs } = await call("POST", `${name}:runSession`, {
    config: { session: name, ...nonEmptyFields({ deployment }) },
    inputs: [{ text: "Hi" }],
  });
  return outputs.map(({ text = "" }: { readonly text?: string }) => text).join("");
}

describe("a deployed app", () => {
  const deployment = `${APP}/deployments/web-site`;

  it("leaves a session on the version it began with, while new sessions follow the deployment", async () => {
    await call("POST", `${PARENT}/apps?appId=deployed`, { displayName: "Deployed" });
    await call("POST", `${APP}/agents?agentId=front`, { displayName: "Root", instruction: "one" });
    await call("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front` });
    await release("v-one");
    await call("POST", `${APP}/deployments?deploymentId=web-site`, {
      displayName: "Web",
      appVersion: `${APP}/versions/v-one`,
      channelProfile: { channelType: "WEB_UI", personaProperty: { persona: "CONCISE" } },
    });
    const concise = /^(\w+)\n\nKeep your answers short/;
    const begun = randomUUID();
    assert.equal(concise.exec(await ask(begun, deployment))?.[1], "one");
    await instruct("two");
    await release("v-two");
    await call("PATCH", `${deployment}?updateMask=appVersion`, { appVersion: `${APP}/versions/v-two` });
    assert.equal(concise.exec(await ask(begun, deployment))?.[1], "one");
    assert.equal(concise.exec(await ask(begun))?.[1], "one");
    assert.equal(concise.exec(await ask(randomUUID(), deployment))?.[1], "two");
  });

  it("lets a change of the draft take effect at the next turn of its sessions", async () => {
    const session = randomUUID();
    assert.equal(await ask(session), "two");
    await instruct("three");
    assert.equal(await ask(session), "three");
  });

  it("calls the model by the settings of the deployment, then by those of agent and app, each by itself", async () => {
    const settings = { temperature: 0.5, thinkingLevel: "HIGH" };
    await call("PATCH", `${APP}?updateMask=modelSettings`, { modelSettings: settings });
    await ask(randomUUID(), deployment);
    // The version that the deployment serves was made before.
    assert.deepEqual([asked?.temperature, asked?.thinkingLevel], [undefined, undefined]);
    await call("PATCH", `${deployment}?updateMask=appVersion`, { appVersion: `${APP}/versions/-` });
    await ask(randomUUID(), deployment);
    assert.deepEqual([asked?.temperature, asked?.thinkingLevel], [0.5, "high"]);
    await call("PATCH", `${deployment}?updateMask=modelSettings`, { modelSettings: { thinkingLevel: "MINIMAL" } });
    await ask(randomUUID(), deployment);
    assert.deepEqual([asked?.temperature, asked?.thinkingLevel], [0.5, "minimal"]);
    await ask(randomUUID());
    assert.equal(asked?.thinkingLevel, "high");
  });

  it("has the modality of its deployment, and one that is not known is a validation error", async () => {
    await instruct("{% if modality == 'voice' %}spoken{% else %}written{% endif %}");
    assert.match(await ask(randomUUID(), deployment), /^written/);
    await call("PATCH", `${deployment}?updateMask=modality`, { modality: "AUDIO" });
    assert.match(await ask(randomUUID(), deployment), /^spoken/);
    assert.match(await ask(randomUUID()), /^written/);
    await call("PATCH", `${deployment}?updateMask=modality`, { modality: "SMELL" });
    assert.match(await ask(randomUUID(), deployment), /^written/);
    const { validationErrors } = await call("GET", APP);
    assert.match(validationErrors.join(), /Deployment 'Web', modality: 'SMELL' is not known here/);
    await instruct("three");
    await call("PATCH", `${deployment}?updateMask=appVersion,modality`, { appVersion: `${APP}/versions/v-two` });
  });

  it("divides new sessions by a running traffic split, for good", async () => {
    await call("PATCH", `${deployment}?updateMask=experimentConfig`, {
      experimentConfig: {
        versionRelease: {
          state: "RUNNING",
          trafficAllocations: [
            { id: "old", trafficPercentage: 50, appVersion: `${APP}/versions/v-one` },
            { id: "new", trafficPercentage: 50, appVersion: `${APP}/versions/v-two` },
          ],
        },
      },
    });
    const sessions = Array.from({ length: 24 }, () => randomUUID());
    const first = await Promise.all(sessions.map((session) => ask(session, deployment)));
    assert.deepEqual(new Set(first.map((answer) => answer.slice(0, 3))), new Set(["one", "two"]));
    await call("PATCH", `${deployment}?updateMask=experimentConfig`, {});
    assert.deepEqual(await Promise.all(sessions.map((session) => ask(session, deployment))), first);
  });
});
