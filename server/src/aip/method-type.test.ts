import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { httpRuleOf, resourceTypeOf } from "./annotations.ts";
import { classifyMethod, type StandardMethod } from "./method-type.ts";

/** The roles of a method's fields by name. */
function rolesOf(method: StandardMethod): Record<string, string> {
  const { kind, resource, ...roles } = method;
  return {
    kind,
    resource: resource.name,
    ...Object.fromEntries(Object.entries(roles).map(([role, field]) => [role, field.name])),
  };
}

describe("classifyMethod", () => {
  const roles = (method: Parameters<typeof classifyMethod>[0]) => {
    const found = classifyMethod(method);
    return found && rolesOf(found);
  };

  it("finds the roles of request fields", () => {
    const { createApp, getAgent, listAgents, updateApp, deleteAgent, deleteAppVersion, listDeployments } =
      AgentService.method;
    assert.deepEqual(roles(createApp), {
      kind: "create",
      resource: "App",
      parent: "parent",
      body: "app",
      id: "app_id",
    });
    assert.deepEqual(roles(getAgent), { kind: "get", resource: "Agent", name: "name" });
    assert.deepEqual(roles(listAgents), {
      kind: "list",
      resource: "Agent",
      parent: "parent",
      items: "agents",
      nextPageToken: "next_page_token",
      pageSize: "page_size",
      pageToken: "page_token",
      filter: "filter",
      orderBy: "order_by",
    });
    assert.deepEqual(roles(updateApp), { kind: "update", resource: "App", body: "app", mask: "update_mask" });
    assert.deepEqual(roles(deleteAgent), {
      kind: "delete",
      resource: "Agent",
      name: "name",
      etag: "etag",
      force: "force",
    });
    assert.deepEqual(roles(deleteAppVersion), { kind: "delete", resource: "AppVersion", name: "name", etag: "etag" });
    assert.equal(roles(listDeployments)?.filter, undefined);
  });

  it("does not classify custom methods", () => {
    const { exportApp, importApp, restoreAppVersion, batchDeleteConversations, generateAppResource } =
      AgentService.method;
    const { runEvaluation, testPersonaVoice, uploadEvaluationAudio, importEvaluations } = EvaluationService.method;
    const custom = [exportApp, importApp, restoreAppVersion, batchDeleteConversations, generateAppResource];
    const others = [runEvaluation, testPersonaVoice, uploadEvaluationAudio, importEvaluations];
    assert.deepEqual([...custom, ...others].map(roles), Array(9).fill(undefined));
  });

  it("classifies the standard methods of every service by their annotations", () => {
    const count = (methods: readonly Parameters<typeof classifyMethod>[0][]) =>
      methods.filter((method) => classifyMethod(method)).length;
    // All List/Get/Create/Update/Delete methods, conversations included.
    const named = (methods: readonly { readonly name: string }[]) =>
      methods.filter(({ name }) => /^(List|Get|Create|Update|Delete)/.test(name)).length;
    assert.equal(count(AgentService.methods), named(AgentService.methods));
    assert.equal(count(EvaluationService.methods), named(EvaluationService.methods));
    assert.equal(roles(DataAgentService.method.createDataAgent)?.resource, "DataAgent");
  });
});

describe("annotations", () => {
  it("give type and pattern of a resource, and the http rule of a method", () => {
    const type = resourceTypeOf(AgentService.method.getAgent.output);
    assert.deepEqual([type?.type, type?.singular, type?.plural], ["ces.googleapis.com/Agent", "agent", "agents"]);
    assert.equal(type?.patterns[0].text, "projects/{project}/locations/{location}/apps/{app}/agents/{agent}");
    assert.deepEqual(httpRuleOf(AgentService.method.getAgent)?.pattern, {
      case: "get",
      value: "/v1beta/{name=projects/*/locations/*/apps/*/agents/*}",
    });
  });
});
