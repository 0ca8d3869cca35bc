import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ChannelProfile_ChannelType as ChannelType } from "@frontdesk/protos/ces/common";
import type { JsonObject } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/channels`;

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await call("POST", `${PARENT}/apps?appId=channels`, { displayName: "Channels" });
  await call("POST", `${APP}/agents?agentId=front-desk`, { displayName: "Front" });
  await call("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` });
});
after(() => server[Symbol.asyncDispose]());
const call = restOf(() => server);

/** The validation errors of the app with one deployment of this profile. */
async function problemsOf(channelProfile: JsonObject, more: JsonObject = {}): Promise<readonly string[]> {
  const name = `${APP}/deployments/only-one`;
  await call("POST", `${APP}/deployments?deploymentId=only-one`, { displayName: "Only", channelProfile, ...more });
  const { validationErrors = [] } = await call("GET", APP);
  assert.doesNotMatch(JSON.stringify(await call("GET", name)), /secret/);
  await call("DELETE", name);
  return validationErrors;
}

const FIELD = "Deployment 'Only', channel_profile.";
const GATEWAY = "connect a gateway that calls RunSession or BidiRunSession with the deployment";
const SETTINGS = "web_widget_config.security_settings";

describe("a channel profile (WIRE-40)", () => {
  it("has beside it what nothing acts on: a registry of agents", async () => {
    assert.deepEqual(await problemsOf({ channelType: "API" }, { agentRegistryDeployment: {} }), [
      "Deployment 'Only', agent_registry_deployment: there is no registry of agents here; give its clients the address of the deployment's agent card.",
    ]);
  });

  it("is a validation error of the app for every channel that this server does not serve", async () => {
    const served = ["UNKNOWN", "WEB_UI", "API"];
    const names = Object.values(ChannelType).filter((each) => typeof each === "string");
    for (const channelType of names) {
      const expected = `${FIELD}channel_type: nothing of the channel ${channelType} arrives here by itself; ${GATEWAY}, or use WEB_UI or API.`;
      assert.deepEqual(await problemsOf({ channelType }), served.includes(channelType) ? [] : [expected]);
    }
  });

  it("is one for the connections of WhatsApp and Instagram, whose credentials are not stored", async () => {
    const whatsappConfig = { wabaId: "1", phoneNumberId: "2" };
    const whatsappCredentials = {
      ...{ authCode: "secret", pin: "secret", phoneNumber: "3" },
      ...{ businessAccountId: "4", wabaId: "1", conversationProfileId: "5" },
    };
    assert.deepEqual(await problemsOf({ channelType: "API", whatsappConfig }, { whatsappCredentials }), [
      `${FIELD}whatsapp_config: this server has no connection to WhatsApp; ${GATEWAY}.`,
    ]);
    const instagramConfig = { instagramAccountId: "1" };
    const instagramCredentials = { authCode: "secret", conversationProfileId: "5" };
    assert.deepEqual(await problemsOf({ channelType: "API", instagramConfig }, { instagramCredentials }), [
      `${FIELD}instagram_config: this server has no connection to Instagram; ${GATEWAY}.`,
    ]);
  });

  it("is one for the suppression of noise", async () => {
    assert.deepEqual(await problemsOf({ channelType: "API", noiseSuppressionLevel: "high" }), [
      `${FIELD}noise_suppression_level: sound is not filtered here; leave it empty, or filter before it is sent.`,
    ]);
  });

  it("is one for a widget by voice, with reCAPTCHA, or without public access", async () => {
    const widget = (webWidgetConfig: JsonObject) => problemsOf({ channelType: "WEB_UI", webWidgetConfig });
    const open = { enablePublicAccess: true };
    assert.deepEqual(await widget({ modality: "CHAT_ONLY", securitySettings: open }), []);
    assert.deepEqual(await widget({ modality: "CHAT_AND_VOICE" }), [
      `${FIELD}web_widget_config.modality: the widget is by text only; use CHAT_ONLY, or a client of your own over BidiRunSession for voice.`,
    ]);
    assert.deepEqual(await widget({ securitySettings: { ...open, enableRecaptcha: true } }), [
      `${FIELD}${SETTINGS}.enable_recaptcha: this server cannot verify reCAPTCHA, so it issues no chat token; disable it.`,
    ]);
    assert.deepEqual(await widget({ securitySettings: { enableOriginCheck: true } }), [
      `${FIELD}${SETTINGS}.enable_public_access: is off, but this server authenticates nobody, so every allowed page gets a chat token; put your own authentication in front of it, or set enable_public_access.`,
    ]);
  });
});
