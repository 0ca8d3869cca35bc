import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type DescMessage, getOption } from "@bufbuild/protobuf";
import {
  CreateAgentRequestSchema,
  CreateAppRequestSchema,
  CreateGuardrailRequestSchema,
  UpdateAppRequestSchema,
  UpdateToolRequestSchema,
} from "@frontdesk/protos/ces/agent_service";
import { file_google_cloud_ces_v1beta_evaluation_service } from "@frontdesk/protos/ces/evaluation_service";
import { RunSessionRequestSchema } from "@frontdesk/protos/ces/session_service";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { REQUIRED_EXEMPTIONS } from "./required-exemptions.ts";
import { createRequiredFields } from "./required-fields.ts";
import { createTypeRegistry } from "./type-registry.ts";

const missing = createRequiredFields();

function paths(...[type, request]: Parameters<typeof missing>): readonly string[] {
  return missing(type, request).map(({ field }) => field);
}

describe("REQUIRED fields", () => {
  it("are all reported at once, by their proto paths", () => {
    assert.deepEqual(
      missing(RunSessionRequestSchema, create(RunSessionRequestSchema, { config: { inputAudioConfig: {} } })),
      [
        { field: "config.session", description: "Required field is not set." },
        { field: "config.input_audio_config.audio_encoding", description: "Required field is not set." },
        { field: "inputs", description: "Required field is not set." },
      ],
    );
  });

  it("count inside lists, maps and oneofs, and only where the parent is set", () => {
    const request = create(CreateAppRequestSchema, {
      parent: "p",
      app: {
        displayName: "A",
        variableDeclarations: [{ name: "x", schema: { type: 1, properties: { deep: {} } } }, { name: "y" }],
      },
    });
    assert.deepEqual(paths(CreateAppRequestSchema, request), [
      "app.variable_declarations[0].schema.properties[deep].type",
      "app.variable_declarations[1].schema",
    ]);
  });

  it("count inside the member of a oneof that is set", () => {
    const guardrail = { displayName: "G", guardrailType: { case: "llmPolicy", value: {} } } as const;
    assert.deepEqual(
      paths(CreateGuardrailRequestSchema, create(CreateGuardrailRequestSchema, { parent: "p", guardrail })),
      ["guardrail.llm_policy.prompt", "guardrail.llm_policy.policy_scope"],
    );
  });

  it("are none of the caller's business in output-only fields", () => {
    const request = create(CreateAgentRequestSchema, { parent: "p", agent: { displayName: "A" } });
    assert.deepEqual(paths(CreateAgentRequestSchema, request), []);
  });

  it("of an update are those that the mask names", () => {
    const app = { name: "a" };
    assert.deepEqual(
      paths(UpdateAppRequestSchema, create(UpdateAppRequestSchema, { app, updateMask: { paths: ["description"] } })),
      [],
    );
    assert.deepEqual(
      paths(UpdateAppRequestSchema, create(UpdateAppRequestSchema, { app, updateMask: { paths: ["display_name"] } })),
      ["app.display_name"],
    );
    assert.deepEqual(
      paths(UpdateAppRequestSchema, create(UpdateAppRequestSchema, { app, updateMask: { paths: ["*"] } })),
      ["app.display_name"],
    );
    assert.deepEqual(paths(UpdateAppRequestSchema, create(UpdateAppRequestSchema, { updateMask: { paths: ["*"] } })), [
      "app",
    ]);
  });

  it("of an update without a mask are those inside the fields that were sent", () => {
    const request = create(UpdateToolRequestSchema, {
      tool: { name: "t", toolType: { case: "openApiTool", value: {} } },
    });
    assert.deepEqual(paths(UpdateToolRequestSchema, request), ["tool.open_api_tool.open_api_schema"]);
  });

  it("that real apps leave out are exempt, each naming a field that is REQUIRED", () => {
    const registry = createTypeRegistry([
      { service: file_google_cloud_ces_v1beta_evaluation_service.services[0] as never, implementation: {} },
    ]);
    for (const name of REQUIRED_EXEMPTIONS.keys()) {
      const dot = name.lastIndexOf(".");
      const type = registry.getMessage(name.slice(0, dot)) as DescMessage;
      const field = type.fields.find((candidate) => candidate.name === name.slice(dot + 1));
      assert.ok(field && getOption(field, field_behavior).includes(FieldBehavior.REQUIRED), name);
    }
    const app = { displayName: "A", variableDeclarations: [{ name: "x", schema: { type: 1 } }] };
    assert.deepEqual(paths(CreateAppRequestSchema, create(CreateAppRequestSchema, { parent: "p", app })), []);
  });
});
