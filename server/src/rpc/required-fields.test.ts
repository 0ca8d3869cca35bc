import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type DescField, type DescMessage, fromJson, getOption } from "@bufbuild/protobuf";
import {
  AgentService,
  CreateAppRequestSchema,
  ListAppsRequestSchema,
  UpdateAppRequestSchema,
} from "@frontdesk/protos/ces/agent_service";
import { file_google_cloud_ces_v1beta_evaluation_service } from "@frontdesk/protos/ces/evaluation_service";
import { RunSessionRequestSchema, SessionService } from "@frontdesk/protos/ces/session_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { ChatRequestSchema, DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { longNames } from "./long-names.ts";
import { REQUIRED_EXEMPTIONS, UNCHECKED_INSIDE } from "./required-exemptions.ts";
import { missingInRequest } from "./required-fields.ts";
import { createTypeRegistry } from "./type-registry.ts";

const { runSession } = SessionService.method;
const { createApp, updateApp } = AgentService.method;

describe("REQUIRED fields", () => {
  it("are all reported at once, by their proto paths", () => {
    const request = create(RunSessionRequestSchema, { config: { inputAudioConfig: {} } });
    assert.deepEqual(missingInRequest(runSession, request), [
      { field: "config.session", description: "Required field is not set." },
      { field: "config.input_audio_config.audio_encoding", description: "Required field is not set." },
      { field: "inputs", description: "Required field is not set." },
    ]);
  });

  it("count inside lists and inside the member of a oneof that is set", () => {
    const inputs = [{ inputType: { case: "text", value: "hi" } }, { inputType: { case: "event", value: {} } }] as const;
    const request = create(RunSessionRequestSchema, { config: { session: "s" }, inputs: [...inputs] });
    assert.deepEqual(paths(runSession, request), ["inputs[1].event.event"]);
  });

  it("of a standard method do not include those of the resource, which the resource layer checks", () => {
    assert.deepEqual(paths(createApp, create(CreateAppRequestSchema, {})), ["parent", "app"]);
    assert.deepEqual(paths(createApp, create(CreateAppRequestSchema, { parent: "p", app: {} })), []);
    assert.deepEqual(paths(updateApp, create(UpdateAppRequestSchema, { app: {} })), []);
  });

  it("that real apps leave out are exempt, each naming a field that is REQUIRED", () => {
    const registry = createTypeRegistry([
      { service: file_google_cloud_ces_v1beta_evaluation_service.services[0] as never, implementation: {} },
      { service: DataChatService, implementation: {} },
      { service: DataAgentService, implementation: {} },
    ]);
    const fieldOf = (name: string) => {
      const dot = name.lastIndexOf(".");
      const type = registry.getMessage(name.slice(0, dot)) as DescMessage;
      return type.fields.find((candidate) => candidate.name === name.slice(dot + 1));
    };
    const isRequired = (field: DescField) => getOption(field, field_behavior).includes(FieldBehavior.REQUIRED);
    for (const name of REQUIRED_EXEMPTIONS.keys()) {
      const field = fieldOf(name);
      assert.ok(field && isRequired(field), name);
    }
    for (const name of UNCHECKED_INSIDE) {
      const field = fieldOf(name);
      assert.ok(field?.message && (isRequired(field) || field.message.fields.some(isRequired)), name);
    }
  });

  it("are not checked in messages that clients send back", () => {
    const request = fromJson(ChatRequestSchema, {
      parent: "p",
      messages: [{ systemMessage: { schema: { result: { datasources: [{ bigqueryTableReference: {} }] } } } }],
      dataAgentContext: {},
    });
    assert.deepEqual(paths(DataChatService.method.chat, request), ["data_agent_context.data_agent"]);
  });
});

describe("names and filters of a request", () => {
  it("have 10,000 characters at most", () => {
    const long = "é".repeat(10_001);
    const request = create(ListAppsRequestSchema, { parent: long, filter: long, orderBy: "x".repeat(10_000) });
    const description = "has 10001 characters; the limit is 10000";
    assert.deepEqual(longNames(AgentService.method.listApps, request), [
      { field: "parent", description },
      { field: "filter", description },
    ]);
  });
});

function paths(...[method, request]: Parameters<typeof missingInRequest>): readonly string[] {
  return missingInRequest(method, request).map(({ field }) => field);
}
