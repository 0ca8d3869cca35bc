import {
  create,
  createRegistry,
  type DescMessage,
  type DescMethod,
  fromJson,
  getOption,
  hasOption,
  type JsonValue,
  type MessageInitShape,
  toJson,
} from "@bufbuild/protobuf";
import { AnySchema, anyUnpack, EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { file_google_cloud_ces_v1beta_agent_service } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { file_google_cloud_ces_v1beta_evaluation_service } from "@frontdesk/protos/ces/evaluation_service";
import { file_google_cloud_geminidataanalytics_v1beta_data_agent } from "@frontdesk/protos/gda/data_agent";
import { file_google_cloud_geminidataanalytics_v1beta_data_agent_service } from "@frontdesk/protos/gda/data_agent_service";
import { http } from "@frontdesk/protos/google/api/annotations";
import type { HttpRule } from "@frontdesk/protos/google/api/http";
import { BadRequestSchema, ErrorInfoSchema, ResourceInfoSchema } from "@frontdesk/protos/google/rpc/error_details";

const DETAILS = createRegistry(BadRequestSchema, ErrorInfoSchema, ResourceInfoSchema);
const TYPES = createRegistry(
  AppSchema,
  file_google_cloud_ces_v1beta_agent_service,
  file_google_cloud_ces_v1beta_evaluation_service,
  file_google_cloud_geminidataanalytics_v1beta_data_agent,
  file_google_cloud_geminidataanalytics_v1beta_data_agent_service,
  EmptySchema,
  DETAILS,
);

/** A client that speaks plain REST from the `google.api.http` annotations, written apart from the server's own transcoding. */
export function createRestTransport(baseUrl: string): Transport {
  return {
    async unary(method, signal, _timeoutMs, _header, input) {
      const response = await send(baseUrl, method, input, signal);
      const json = JSON.parse(await response.text()) as JsonValue;
      const message = fromJson(method.output, json, { registry: TYPES, ignoreUnknownFields: false });
      return {
        stream: false,
        service: method.parent,
        method,
        message,
        header: response.headers,
        trailer: new Headers(),
      };
    },
    async stream(method, signal, _timeoutMs, _header, inputs) {
      const [input] = await Array.fromAsync(inputs);
      const response = await send(baseUrl, method, input ?? {}, signal);
      const elements = JSON.parse(await response.text()) as JsonValue[];
      const message = (async function* () {
        for (const element of elements) yield fromJson(method.output, element, { registry: TYPES });
      })();
      return {
        stream: true,
        service: method.parent,
        method,
        message,
        header: response.headers,
        trailer: new Headers(),
      };
    },
  } as Transport;
}

async function send(
  baseUrl: string,
  method: DescMethod,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  // Methods of google.longrunning have their path in the service configuration, not in an annotation.
  const rule = hasOption(method, http) ? getOption(method, http) : undefined;
  const json = toJson(method.input, create(method.input as DescMessage, input as MessageInitShape<DescMessage>), {
    registry: TYPES,
  }) as Record<string, JsonValue>;
  const [verb, url, body] =
    rule && !method.parent.typeName.startsWith("google.longrunning") ? fill(rule, json) : operationCall(method, json);
  const response = await fetch(`${baseUrl}${url}`, {
    method: verb,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    signal: signal ?? null,
  });
  if (!response.ok) throw toConnectError(await response.text());
  return response;
}

function operationCall(
  method: DescMethod,
  json: Record<string, JsonValue>,
): [verb: string, url: string, body: undefined] {
  const verb = method.name === "DeleteOperation" ? "DELETE" : "GET";
  return [verb, `/v1beta/${json.name}${method.name === "ListOperations" ? "/operations" : ""}`, undefined];
}

function fill(
  { pattern, body }: HttpRule,
  json: Record<string, JsonValue>,
): [verb: string, url: string, body: JsonValue | undefined] {
  if (typeof pattern.value !== "string") throw new Error("only plain verbs are used by the API");
  const rest = structuredClone(json);
  const path = pattern.value.replace(/\{([^=}]+)(?:=[^}]*)?\}/g, (_, field: string) =>
    String(take(rest, field.split("."), body === "*")),
  );
  const verb = String(pattern.case).toUpperCase();
  if (body === "*") return [verb, path, rest];
  const part = body ? take(rest, [body], false) : undefined;
  const query = new URLSearchParams(Object.entries(rest).flatMap(([key, value]) => pairs(key, value))).toString();
  return [verb, query ? `${path}?${query}` : path, part];
}

/** Reads a field by its proto path; unless it stays in the body, takes it out of the message. */
function take(json: Record<string, JsonValue>, path: readonly string[], keep: boolean): JsonValue | undefined {
  const [first = "", ...rest] = path;
  const key = first.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const value = json[key];
  if (rest.length > 0) return take(value as Record<string, JsonValue>, rest, true);
  if (!keep) delete json[key];
  return value;
}

function pairs(key: string, value: JsonValue): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairs(key, item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([inner, item]) => pairs(`${key}.${inner}`, item));
  return [[key, String(value)]];
}

function toConnectError(text: string): ConnectError {
  const { error } = JSON.parse(text) as { error: { message: string; status: string; details?: JsonValue[] } };
  const name = error.status.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  const code = Code[(name === "Cancelled" ? "Canceled" : name) as keyof typeof Code];
  const refusal = new ConnectError(error.message, code);
  for (const detail of error.details ?? []) {
    const any = fromJson(AnySchema, detail, { registry: DETAILS });
    const message = anyUnpack(any, DETAILS);
    const desc = message && DETAILS.getMessage(message.$typeName);
    if (message && desc) refusal.details.push({ desc, value: message });
  }
  return refusal;
}
