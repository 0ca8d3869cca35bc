import type { Message } from "@bufbuild/protobuf";
import { isJsonObject, type JsonObject, type JsonValue, yieldToEventLoop } from "#base";
import { invalidArgument } from "#status";
import type { JsonDecoder } from "../json/decode-json.ts";
import { fieldsByName } from "../json/fields.ts";
import { maxValuesOf } from "../json/max-values.ts";
import { LONG_BODY, parseLongJson } from "../json/parse-json.ts";
import { bindPath } from "./bind-path.ts";
import { bindQuery } from "./bind-query.ts";
import type { RestRoute } from "./http-rules.ts";
import type { PathValue } from "./router.ts";
import type { Query } from "./system-parameters.ts";

/** The parts of an HTTP request that make up a message. */
interface RequestParts {
  readonly body: Buffer;
  readonly query: Query;
  readonly values: readonly PathValue[];
}

/** Decodes the request message (internal revision) from body, query and path (WIRE-3): they become one JSON object, decoded in one pass. */
export async function decodeRequest(
  { method, body: rule }: RestRoute,
  { body, query, values }: RequestParts,
  decode: JsonDecoder,
): Promise<Message> {
  const type = method.internalMethod.input;
  const json = bindBody(
    rule === "" ? undefined : await readBodyJson(body, maxValuesOf(type)),
    rule,
    (name) => fieldsByName(type).get(name)?.jsonName ?? name,
  );
  if (query.bindings.length > 0) bindQuery(type, json, query.bindings);
  bindPath(type, json, values);
  if (body.length > LONG_BODY) await yieldToEventLoop();
  return decode(type, json);
}

async function readBodyJson(body: Buffer, most: number): Promise<JsonValue | undefined> {
  if (body.length === 0) return undefined;
  const parsed = await parseLongJson(body, most);
  if (!parsed.ok) throw invalidArgument({ field: "", description: `Invalid JSON payload received. ${parsed.reason}` });
  // gax sends `""` for an empty message; `null` means the same.
  return parsed.value === "" || parsed.value === null ? undefined : parsed.value;
}

function bindBody(json: JsonValue | undefined, rule: string, jsonNameOf: (name: string) => string): JsonObject {
  if (json === undefined) return {};
  if (rule !== "*") return { [jsonNameOf(rule)]: json };
  if (isJsonObject(json)) return json;
  throw invalidArgument({ field: "", description: "Invalid JSON payload received. The body must be a JSON object." });
}
