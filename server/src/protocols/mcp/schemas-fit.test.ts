import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRegistry, type DescField, type DescMessage, fromJson, ScalarType, toJson } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject, JsonValue } from "#base";
import { inputSchema } from "./input-schema.ts";
import { outputSchema } from "./output-schema.ts";
import { createNameFormats } from "./resource-patterns.ts";

const services = [AgentService, EvaluationService, SessionService, ToolService, DataAgentService, DataChatService];
const types = createRegistry(...services.flatMap(({ file }) => [file, ...file.dependencies]));
const formats = createNameFormats(types);
const ajv = new Ajv2020({ strict: true, formats: { "date-time": true } });

/** proto3 JSON of messages that are not objects of their fields. */
const SAMPLES: Readonly<Record<string, JsonValue>> = {
  "google.protobuf.Timestamp": "2026-01-02T03:04:05Z",
  "google.protobuf.Duration": "1.5s",
  "google.protobuf.FieldMask": "displayName",
  "google.protobuf.Struct": { any: [1, "thing"] },
  "google.protobuf.Value": [1],
  "google.protobuf.ListValue": [1],
  "google.protobuf.Any": {},
  "google.protobuf.Empty": {},
  "google.protobuf.BoolValue": true,
  "google.protobuf.Int32Value": 7,
  "google.protobuf.Int64Value": "7",
  "google.protobuf.DoubleValue": 0.5,
  "google.protobuf.StringValue": "text",
};

/** A message with every field set; of a oneof, the member that `turn` points at. */
function filled(type: DescMessage, turn: number, depth = 0): JsonObject {
  const fields = type.fields.filter((field) => !field.oneof || chosen(field, turn));
  if (depth > 3) return {};
  return Object.fromEntries(fields.map((field) => [field.jsonName, fieldOf(field, turn, depth)]));
}

function chosen(field: DescField, turn: number): boolean {
  const members = field.oneof?.fields ?? [];
  return members[turn % members.length] === field;
}

function fieldOf(field: DescField, turn: number, depth: number): JsonValue {
  const value = sampleOf(field, turn, depth);
  if (field.fieldKind === "list") return [value];
  if (field.fieldKind !== "map") return value;
  return { [field.mapKey === ScalarType.STRING ? "key" : field.mapKey === ScalarType.BOOL ? "true" : "1"]: value };
}

function sampleOf({ enum: choices, message, scalar }: DescField, turn: number, depth: number): JsonValue {
  if (choices) return choices.values.at(-1)?.name ?? "";
  if (message) return SAMPLES[message.typeName] ?? filled(message, turn, depth + 1);
  switch (scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      return "text";
    case ScalarType.BYTES:
      return "eA==";
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return turn === 0 ? 0.5 : "NaN"; // No validator calls that a number, and proto3 JSON writes it so.
    default:
      return 7;
  }
}

/** The JSON of a message as the server writes it. */
function rendered(type: DescMessage, json: JsonObject): JsonValue {
  return toJson(type, fromJson(type, json, { registry: types }), { registry: types }) as JsonValue;
}

function assertFits(schema: JsonObject, ...values: readonly JsonValue[]): void {
  const validate = ajv.compile(schema);
  for (const value of values) assert.ok(validate(value), JSON.stringify(validate.errors));
}

describe("the schemas of MCP tools", () => {
  const outputs = new Set(services.flatMap(({ methods }) => methods.map(({ output }) => output)));
  it(`accept every response of ${outputs.size} types`, () => {
    for (const type of outputs)
      assertFits(outputSchema(type), ...[0, 1, 2].map((turn) => rendered(type, filled(type, turn))));
  });

  it("accept the arguments that a message accepts", () => {
    const { input } = AgentService.method.createTool;
    const request = { ...filled(input, 0), parent: "projects/p/locations/l/apps/a" };
    assertFits(inputSchema(input, formats), rendered(input, request));
  });
});
