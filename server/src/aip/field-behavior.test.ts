import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, toJson } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { etagOf } from "./etag.ts";
import { withoutInputOnly, withoutOutputOnly } from "./field-behavior.ts";
import { missingRequired } from "./missing-required.ts";

describe("withoutOutputOnly", () => {
  it("clears the fields that only the server sets, at any depth, and keeps the etag", () => {
    const app = create(AppSchema, { displayName: "A", deploymentCount: 3, createTime: { seconds: 1n }, etag: "e" });
    assert.deepEqual(toJson(AppSchema, withoutOutputOnly(AppSchema, app)), { displayName: "A", etag: "e" });
    const tool = create(ToolSchema, {
      toolType: { case: "pythonFunction", value: { name: "f", description: "sent" } },
    });
    assert.deepEqual(toJson(ToolSchema, withoutOutputOnly(ToolSchema, tool)), { pythonFunction: { name: "f" } });
    assert.equal(app.deploymentCount, 3);
  });
});

describe("withoutInputOnly", () => {
  it("clears the fields that must not be stored", () => {
    const deployment = create(DeploymentSchema, { displayName: "D", whatsappCredentials: { pin: "1234" } });
    assert.deepEqual(toJson(DeploymentSchema, withoutInputOnly(DeploymentSchema, deployment)), { displayName: "D" });
  });
});

describe("missingRequired", () => {
  const names = (violations: readonly { readonly field: string }[]) => violations.map(({ field }) => field);

  it("finds the fields of the message itself", () => {
    assert.deepEqual(missingRequired(DeploymentSchema, create(DeploymentSchema)), [
      { field: "display_name", description: "Required field is not set." },
      { field: "channel_profile", description: "Required field is not set." },
    ]);
  });

  it("checks the nested messages that are present when asked to", () => {
    const agent = create(AgentSchema, {
      displayName: "A",
      transferRules: [{ direction: 1 }, { childAgent: "x" }],
      toolsets: [{}],
    });
    assert.deepEqual(names(missingRequired(AgentSchema, agent)), []);
    assert.deepEqual(names(missingRequired(AgentSchema, agent, { enters: () => true })), [
      "toolsets[0].toolset",
      "transfer_rules[0].child_agent",
      "transfer_rules[1].direction",
    ]);
  });

  it("accepts missing fields that are exempt", () => {
    const guardrail = create(GuardrailSchema, { displayName: "G", guardrailType: { case: "llmPolicy", value: {} } });
    const check = { enters: () => true, exempt: ({ name }: { readonly name: string }) => name === "policy_scope" };
    assert.deepEqual(names(missingRequired(GuardrailSchema, guardrail, check)), ["llm_policy.prompt"]);
  });
});

describe("etagOf", () => {
  it("depends on what clients set and on nothing else", () => {
    const etag = (init: object) => etagOf(AppSchema, create(AppSchema, { name: "a", displayName: "A", ...init }));
    assert.equal(
      etag({ deploymentCount: 4, updateTime: { seconds: 5n }, etag: "x", validationErrors: ["y"] }),
      etag({}),
    );
    assert.notEqual(etag({ description: "x" }), etag({}));
    assert.match(etag({}), /^[\w-]{22}$/);
  });
});
