import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRegistry } from "@bufbuild/protobuf";
import { AgentService, CreateToolRequestSchema, UpdateAgentRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import type { JsonObject, JsonValue } from "#base";
import { inputSchema } from "./input-schema.ts";
import { createNameFormats } from "./resource-patterns.ts";

const services = [AgentService, EvaluationService, SessionService, ToolService];
const formats = createNameFormats(createRegistry(...services.flatMap(({ file }) => [file, ...file.dependencies])));

/** Every object in a JSON value, with its depth. */
function* objectsIn(value: JsonValue, depth = 0): Generator<{ object: JsonObject; depth: number }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { object: value, depth };
  for (const item of Object.values(value)) yield* objectsIn(item, depth + 1);
}

/** How deep the schemas in a schema nest: what clients put a limit on. */
function levels(schema: JsonObject): number {
  const { properties, items, additionalProperties } = schema as {
    properties?: Record<string, JsonObject>;
    items?: JsonObject;
    additionalProperties?: JsonObject | boolean;
  };
  const inner = [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return 1 + Math.max(0, ...inner.map(levels));
}

describe("the input schema", () => {
  for (const method of services.flatMap(({ methods }) => methods)) {
    it(`of ${method.name} is accepted by every client`, () => {
      const schema = inputSchema(method.input, formats);
      assert.equal(schema.type, "object");
      for (const { object } of objectsIn(schema)) {
        for (const key of ["$ref", "$defs", "oneOf", "anyOf", "allOf", "not"])
          assert.ok(!(typeof object.type === "string" && key in object), key);
        assert.ok(
          !("format" in object) || typeof object.format !== "string" || object.format === "date-time",
          String(object.format),
        );
      }
      assert.ok(levels(schema) <= 10, `${levels(schema)} levels`);
    });
  }

  it("describes a request by type, required and pattern", () => {
    const { properties, required } = inputSchema(CreateToolRequestSchema, formats) as {
      properties: Record<string, JsonObject>;
      required: string[];
    };
    assert.deepEqual(required, ["parent", "tool"]);
    const tool = (properties.tool as { properties: Record<string, JsonObject> }).properties;
    assert.deepEqual(tool.executionType, {
      type: "string",
      enum: ["SYNCHRONOUS", "ASYNCHRONOUS"],
    });
    assert.ok(!("createTime" in tool), "output-only fields cannot be set");
    assert.match(String(tool.clientFunction?.description), /Set at most one of clientFunction, openApiTool/);
  });

  it("of an update requires only the resource's name", () => {
    const { properties } = inputSchema(UpdateAgentRequestSchema, formats) as {
      properties: { agent: { required: string[] } };
    };
    assert.deepEqual(properties.agent.required, ["name"]);
  });
});
