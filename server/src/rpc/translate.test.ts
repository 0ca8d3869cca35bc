import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  type DescField,
  type DescMessage,
  type DescService,
  getOption,
  type Registry as TypeRegistry,
} from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { AgentService, ListAppsResponseSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import { AgentService as AgentServiceV1 } from "@frontdesk/protos/ces-v1/agent_service";
import { SessionService as SessionServiceV1 } from "@frontdesk/protos/ces-v1/session_service";
import { ToolService as ToolServiceV1 } from "@frontdesk/protos/ces-v1/tool_service";
import { WidgetService as WidgetServiceV1 } from "@frontdesk/protos/ces-v1/widget_service";
import { http } from "@frontdesk/protos/google/api/annotations";
import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { createTranslator } from "./translate.ts";
import { createTypeRegistry } from "./type-registry.ts";

const PAIRS: readonly (readonly [internal: DescService, v1: DescService])[] = [
  [AgentService, AgentServiceV1],
  [SessionService, SessionServiceV1],
  [ToolService, ToolServiceV1],
  [WidgetService, WidgetServiceV1],
];
const types = createTypeRegistry(PAIRS.map(([service, v1]) => ({ service, otherRevisions: [v1], implementation: {} })));

describe("v1 as a subset of v1beta", () => {
  it("has every v1 field in v1beta under the same name, number, JSON name and type", () => {
    assert.deepEqual(
      messagesOf(types, "google.cloud.ces.v1.").flatMap((type) => differences(type, types)),
      [],
    );
  });

  it("has every v1 method in v1beta with the same kind and the same HTTP rule below the revision", () => {
    for (const [internal, v1] of PAIRS) {
      for (const method of v1.methods) {
        const same = internal.method[method.localName];
        assert.equal(same?.methodKind, method.methodKind, method.name);
        assert.equal(pathOf(method, "v1"), same && pathOf(same, "v1beta"), method.name);
      }
    }
  });

  it("differs in 15 messages once nested ones count, the only ones that are rewritten for v1", () => {
    const translator = createTranslator(types);
    const rewritten = messagesOf(types, "google.cloud.ces.v1.")
      .map((type) => type.typeName.replace(".v1.", ".v1beta."))
      .filter((name) => {
        const type = types.getMessage(name);
        return type && !reachesAny(type) && translator.fromInternal(type, "v1");
      })
      .map((name) => name.replace("google.cloud.ces.v1beta.", ""));
    assert.deepEqual(rewritten.sort(), [
      "AgentTool",
      "App",
      "AppSnapshot",
      "AppVersion",
      "CreateAppRequest",
      "CreateAppVersionRequest",
      "CreateToolRequest",
      "ListAppVersionsResponse",
      "ListAppsResponse",
      "ListToolsResponse",
      "RetrieveToolsResponse",
      "Tool",
      "UpdateAppRequest",
      "UpdateAppVersionRequest",
      "UpdateToolRequest",
    ]);
  });
});

describe("createTranslator", () => {
  const translator = createTranslator(types);

  it("drops fields that v1 lacks, and does not change the handler's message", () => {
    const app = create(AppSchema, { name: "a", evaluationPersonas: [{ name: "p", displayName: "Impatient" }] });
    const list = create(ListAppsResponseSchema, { apps: [create(AppSchema, { name: "b" }), app] });
    const shown = translator.fromInternal(ListAppsResponseSchema, "v1")?.(list);
    assert.deepEqual(shown, create(ListAppsResponseSchema, { apps: [{ name: "b" }, { name: "a" }] }));
    assert.equal(app.evaluationPersonas.length, 1);
  });

  it("returns the same object when nothing differs", () => {
    const list = create(ListAppsResponseSchema, { apps: [{ name: "b" }] });
    assert.equal(translator.fromInternal(ListAppsResponseSchema, "v1")?.(list), list);
    assert.equal(translator.fromInternal(ListAppsResponseSchema, "v1beta"), undefined);
  });

  it("reads root_agent of an agent tool as agent, and prefers agent when both are set", () => {
    const toInternal = translator.toInternal(ToolSchema, "v1");
    const tool = (agentTool: { agent?: string; rootAgent?: string }) =>
      create(ToolSchema, { toolType: { case: "agentTool", value: agentTool } });
    assert.deepEqual(toInternal?.(tool({ rootAgent: "r" })), tool({ agent: "r" }));
    assert.deepEqual(toInternal?.(tool({ rootAgent: "r", agent: "a" })), tool({ agent: "a" }));
  });

  it("shows v1 the agent of an agent tool under both names", () => {
    const tool = create(ToolSchema, { toolType: { case: "agentTool", value: { agent: "a" } } });
    assert.deepEqual(
      translator.fromInternal(ToolSchema, "v1")?.(tool),
      create(ToolSchema, { toolType: { case: "agentTool", value: { agent: "a", rootAgent: "a" } } }),
    );
  });

  it("names the types in Any for the revision of the call", () => {
    const operation = create(OperationSchema, {
      name: "o",
      done: true,
      result: { case: "response", value: anyPack(AppSchema, create(AppSchema, { name: "a" })) },
    });
    const shown = translator.fromInternal(OperationSchema, "v1")?.(operation);
    assert.deepEqual(shown, {
      ...operation,
      result: {
        case: "response",
        value: create(AnySchema, {
          typeUrl: "type.googleapis.com/google.cloud.ces.v1.App",
          value: operation.result.case === "response" ? operation.result.value.value : new Uint8Array(),
        }),
      },
    });
  });

  it("keeps the type of an Any that the revision does not have", () => {
    const any = create(AnySchema, { typeUrl: "type.googleapis.com/google.cloud.ces.v1beta.NoSuchThing" });
    const operation = create(OperationSchema, { name: "o", metadata: any });
    assert.equal(translator.fromInternal(OperationSchema, "v1")?.(operation), operation);
  });
});

function messagesOf(registry: TypeRegistry, prefix: string): DescMessage[] {
  return [...registry].filter((type) => type.kind === "message").filter((type) => type.typeName.startsWith(prefix));
}

function differences(v1: DescMessage, registry: TypeRegistry): string[] {
  const internal = registry.getMessage(v1.typeName.replace(".v1.", ".v1beta."));
  if (!internal) return [`${v1.typeName} is missing`];
  return v1.fields.flatMap((field) => {
    const same = internal.fields.find((candidate) => candidate.number === field.number);
    return same && shape(same) === shape(field).replaceAll(".v1.", ".v1beta.") ? [] : [`${v1.typeName}.${field.name}`];
  });
}

function shape(field: DescField): string {
  const { name, jsonName, fieldKind, scalar, presence, oneof } = field;
  return JSON.stringify([
    name,
    jsonName,
    fieldKind,
    scalar,
    presence,
    oneof?.name,
    field.message?.typeName,
    field.enum?.typeName,
  ]);
}

function pathOf(method: Parameters<typeof getOption>[0], revision: string): string {
  const { pattern, body } = getOption(method as never, http);
  return `${pattern.case} ${String(pattern.value ?? "").replace(`/${revision}/`, "/")} ${body}`;
}

function reachesAny(type: DescMessage): boolean {
  const seen = new Set([type]);
  for (const message of seen) for (const field of message.fields) if (field.message) seen.add(field.message);
  return [...seen].some((message) => message.typeName === AnySchema.typeName);
}
