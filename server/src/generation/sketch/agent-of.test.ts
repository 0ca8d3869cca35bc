import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { idOf } from "#aip";
import type { AppTree } from "#resources";
import { agentChangeOf, agentOf } from "./agent-of.ts";
import type { AgentChange } from "./app-changes.ts";
import { NamedResources } from "./named-resources.ts";

const EMPTY = {
  app: create(AppSchema, { name: "projects/p/locations/us/apps/shop" }),
  ...{ agents: [], tools: [], toolsets: [], guardrails: [], evaluations: [], examples: [] },
} as unknown as AppTree;
const stage = "before_model_callbacks" as const;
const log = { code: "def before_model_callback(c, r): print(r)", description: "Logs." };
const guard = { code: "def before_model_callback(c, r): ...", description: "Guards." };

/** The agent's callbacks, which are a log that is switched off and a guard, after a model wrote these: description and whether it is disabled. */
function after(...callbacks: readonly { readonly code: string; readonly description: string }[]) {
  const before = create(AgentSchema, {
    beforeModelCallbacks: [log, guard].map(({ code, description }) => ({
      description,
      disabled: description === log.description,
      callback: { case: "pythonCode" as const, value: code },
    })),
  });
  const written = callbacks.map((callback) => ({ stage, ...callback }));
  const change: AgentChange = {
    ...{ name: "Desk", description: "", instruction: "", tools: [], child_agents: [] },
    callbacks: written,
  };
  const agent = agentOf(before, change, new NamedResources(EMPTY, []));
  return agent.beforeModelCallbacks.map(({ description, disabled }) => `${description} ${disabled ? "off" : "on"}`);
}

describe("a callback that its author switched off", () => {
  it("stays off, and no other one is, wherever the model puts it", () => {
    const greet = { code: "def before_model_callback(c, r): return None", description: "Greets." };
    assert.deepEqual(after(greet, log, guard), ["Greets. on", "Logs. off", "Guards. on"]);
    assert.deepEqual(after(guard, log), ["Guards. on", "Logs. off"]);
    assert.deepEqual(after(guard), ["Guards. on"]);
  });

  it("stays off when the model mends its code or its description", () => {
    assert.deepEqual(after(guard, { ...log, code: "def before_model_callback(c, r): pass" }), [
      "Guards. on",
      "Logs. off",
    ]);
    assert.deepEqual(after({ ...log, description: "Logs it." }, guard), ["Logs it. off", "Guards. on"]);
    assert.deepEqual(after({ code: "pass", description: "Logs all." }, guard), ["Logs all. off", "Guards. on"]);
  });
});

describe("an agent's system tools", () => {
  it("stay when the model writes the agent as it was shown", () => {
    const names = ["end_session", "customize_response", "transfer_to_agent"];
    const tools = names.map((name) => `${EMPTY.app.name}/tools/${name}`);
    const before = create(AgentSchema, { displayName: "Desk", tools });
    const problems: string[] = [];
    const shown = agentChangeOf(before, idOf);
    assert.deepEqual(shown.tools, names);
    assert.deepEqual(agentOf(before, shown, new NamedResources(EMPTY, problems)).tools, tools);
    assert.deepEqual(problems, []);
  });
});
