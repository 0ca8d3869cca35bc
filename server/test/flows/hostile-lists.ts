import { type DescField, type DescMessage, type DescMethod, type DescService, ScalarType } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { AssistantService } from "@frontdesk/protos/ces/assistant_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import type { JsonObject, JsonValue } from "#base";
import type { HostileRequest } from "./hostile-requests.ts";

const LOCATION = "projects/local/locations/us";
const APP = `${LOCATION}/apps/order-desk`;

const SERVICES: readonly DescService[] = [
  AgentService,
  AssistantService,
  EvaluationService,
  SessionService,
  ToolService,
  WidgetService,
  DataAgentService,
  DataChatService,
];

/** Resources of the example by the field of a request that holds one. */
const NAMES: Readonly<Record<string, string>> = {
  app: APP,
  agent: `${APP}/agents/front-desk`,
  tool: `${APP}/tools/check_return_policy`,
  guardrail: `${APP}/guardrails/no-card-numbers`,
  evaluation: `${APP}/evaluations/where-is-my-order`,
  dataAgent: `${LOCATION}/dataAgents/shop`,
};

/** Messages inside each other, from the request: deeper lists are in resources that are met further up as well. */
const LEVELS = 5;

/**
 * Every list and map of the requests of both APIs once, each with about as many values as a message may have: in the update of a resource where
 * there is one, which does most with it.
 */
export function hostileLists(values: number): readonly HostileRequest[] {
  const methods = SERVICES.flatMap((service) => service.methods).filter(({ methodKind }) => methodKind === "unary");
  const updates = methods.filter(({ name }) => name.startsWith("Update"));
  const seen = new Set<DescField | undefined>();
  return [...new Set([...updates, ...methods])].flatMap((method) =>
    listsOf(method.input)
      .filter((path) => !seen.has(path.at(-1)) && seen.add(path.at(-1)))
      .flatMap((path) => [requestOf(method, path, values), ...emptied(method, path)]),
  );
}

/** The update that takes the list out again: a resource has as many values at most as a message. */
function emptied(method: DescMethod, path: readonly DescField[]): readonly HostileRequest[] {
  if (!method.name.startsWith("Update")) return [];
  const { body, ...filled } = requestOf(method, path, 100);
  const [resource, field] = path;
  const without = () => {
    const request = body() as JsonObject;
    const { [field?.jsonName ?? ""]: _, ...left } = request[resource?.jsonName ?? ""] as JsonObject;
    return { ...request, [resource?.jsonName ?? ""]: left };
  };
  return [{ ...filled, name: `${filled.name}, emptied`, body: without }];
}

function requestOf(method: DescMethod, path: readonly DescField[], values: number): HostileRequest {
  return {
    group: `lists in requests of ${method.parent.name}`,
    name: `${method.name}: ${path.map(({ name }) => name).join(".")}`,
    path: `/${method.parent.typeName}/${method.name}`,
    body: () => withAddress(filled(path, values) as JsonObject, method),
  };
}

/** The paths to each repeated field of a message. */
function listsOf(type: DescMessage, before: readonly DescField[] = []): readonly (readonly DescField[])[] {
  if (before.length === LEVELS || before.some((field) => field.message === type && before.at(-1) !== field)) return [];
  return type.fields.flatMap((field) => {
    const path = [...before, field];
    const own = field.fieldKind === "list" || field.fieldKind === "map" ? [path] : [];
    const inside = field.message && !field.message.typeName.startsWith("google.protobuf.") ? field.message : undefined;
    return inside ? [...own, ...listsOf(inside, path)] : own;
  });
}

/** A message with many items in the last field of the path, and one in the others. */
function filled([field, ...rest]: readonly DescField[], values: number): JsonValue {
  if (!field) return {};
  const [item, weight] = rest.length > 0 ? [filled(rest, values), 1] : itemOf(field);
  const count = rest.length > 0 ? 1 : Math.floor((values - 50) / weight);
  return { [field.jsonName]: fieldOf(field, item, count) };
}

function fieldOf(field: DescField, item: JsonValue, count: number): JsonValue {
  if (field.fieldKind === "list") return Array.from({ length: count }, () => item);
  if (field.fieldKind === "map") return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, item]));
  return item;
}

/** Values of scalars that are no numbers. */
const SCALARS: Readonly<Record<number, JsonValue>> = {
  [ScalarType.STRING]: "a",
  [ScalarType.BYTES]: "YQ==",
  [ScalarType.BOOL]: true,
};

const SAMPLES: Readonly<Record<string, JsonValue>> = {
  "google.protobuf.Timestamp": "2026-01-02T03:04:05Z",
  "google.protobuf.Duration": "1s",
  "google.protobuf.FieldMask": "a",
};

/** A small item of a list, and how many values it has: a message has a text where it can have one. */
function itemOf({ message, enum: choices, scalar }: DescField): readonly [item: JsonValue, values: number] {
  if (choices) return [choices.values.at(-1)?.name ?? 0, 1];
  if (!message) return [SCALARS[scalar ?? 0] ?? 1, 1];
  const sample = SAMPLES[message.typeName];
  if (sample !== undefined) return [sample, 1];
  const text = message.fields.find((field) => field.fieldKind === "scalar" && field.scalar === ScalarType.STRING);
  return text && !message.typeName.startsWith("google.protobuf.") ? [{ [text.jsonName]: "a" }, 2] : [{}, 1];
}

/** The names of what there is, in the fields of a request that say what it is about. */
function withAddress(request: JsonObject, { input, name }: DescMethod): JsonObject {
  const isOfLocation = !input.typeName.startsWith("google.cloud.ces.") || /^(Create|Import)App$|^ListApps$/.test(name);
  const given: Record<string, JsonValue> = { parent: isOfLocation ? LOCATION : APP, app: APP, name: APP };
  const known = Object.fromEntries(
    input.fields.flatMap(({ name: field }) => (given[field] ? [[field, given[field]]] : [])),
  );
  const updated = input.fields.find((field) => field.message && /^Update/.test(name) && field.name !== "update_mask");
  const key = updated?.jsonName ?? "";
  const resource: JsonObject = updated
    ? { [key]: { name: NAMES[key] ?? `${APP}/${key}s/none`, ...(request[key] as JsonObject) } }
    : {};
  const mask: JsonObject = updated
    ? { updateMask: Object.keys((request[key] as JsonObject | undefined) ?? {}).join() }
    : {};
  const isOfSession = input.fields.some(({ name: field }) => field === "config");
  const session = { session: `${APP}/sessions/hostile-lists` };
  const config: JsonObject = isOfSession ? { config: { ...session, ...(request.config as JsonObject) } } : {};
  return { ...known, ...mask, ...request, ...resource, ...config };
}
