import { create, type DescField, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { setUnknownFields, unknownFieldsOf } from "#aip";
import { isEnvironmentField, isServerUrlField } from "../field-tables.ts";
import { isWellKnown, setFields } from "../message-fields.ts";
import { rewriteStrings } from "../rewrite-strings.ts";
import { ENV_VAR } from "./environment-file.ts";
import { replaceServerUrls, serverUrls } from "./server-urls.ts";

/** A resource without the values that depend on the environment, and a message with those values; undefined when it has none. */
interface Extracted<Schema extends DescMessage> {
  readonly message: MessageShape<Schema>;
  readonly environment?: MessageShape<Schema>;
}

/**
 * Splits a resource for `environment.json`: values of environment fields become `$env_var` and are in `environment` at the same path;
 * the server URL of an OpenAPI schema becomes its `url` there. Must run before the texts are extracted.
 */
export function extractEnvironment<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
): Extracted<Schema> {
  const moved = moveServerUrl(schema, message);
  const environment = pick(schema, moved) as MessageShape<Schema> | undefined;
  const portable = rewriteStrings(schema, moved, ({ field, value }) => {
    if (isServerUrlField(field)) return "";
    return isEnvironmentField(field) && value !== "" ? ENV_VAR : undefined;
  });
  return { message: portable ?? moved, environment };
}

/** Moves the server URL of an OpenAPI schema to `url`. Several different URLs stay: one field cannot have them. */
function moveServerUrl<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
): MessageShape<Schema> {
  let moved: string | undefined;
  const marked = rewriteStrings(schema, message, ({ field, value }) => {
    if (field.name !== "open_api_schema") return undefined;
    const [url, ...others] = new Set(serverUrls(value));
    if (url === undefined || others.length > 0 || url === ENV_VAR) return undefined;
    moved = url;
    return replaceServerUrls(value, () => ENV_VAR);
  });
  if (moved === undefined || !marked) return message;
  setUrl(schema, marked, moved);
  return marked;
}

/** Sets the `url` beside the schema: both messages that have one have it under the oneof of their resource. */
function setUrl(schema: DescMessage, message: Message, url: string): void {
  for (const { field, value } of setFields(schema, message)) {
    if (field.message?.fields.some(isServerUrlField)) (value as { url: string }).url = url;
  }
}

/** The environment fields of a message and nothing else, unknown ones included, lists keeping their positions; undefined without any. */
function pick(schema: DescMessage, message: Message): Message | undefined {
  if (isWellKnown(schema)) return undefined;
  const picked: Record<string, unknown> = {};
  for (const { field, value } of setFields(schema, message)) {
    const part = pickField(field, value);
    if (part === undefined) continue;
    if (field.oneof) picked[field.oneof.localName] = { case: field.localName, value: part };
    else picked[field.localName] = part;
  }
  const unknown = unknownFieldsOf(message).filter(({ isEnvironment }) => isEnvironment);
  if (Object.keys(picked).length === 0 && unknown.length === 0) return undefined;
  const environment = create(schema, picked);
  setUnknownFields(
    environment,
    unknown.map(({ key, json, after }) => ({ key, json, after })),
  );
  return environment;
}

function pickField(field: DescField, value: unknown): unknown {
  if (isEnvironmentField(field) || isServerUrlField(field)) return value === "" ? undefined : value;
  const { message } = field;
  if (!message) return undefined;
  if (field.fieldKind === "message") return pick(message, value as Message);
  if (field.fieldKind !== "list") return undefined;
  const parts = (value as Message[]).map((item) => pick(message, item));
  return parts.some((part) => part !== undefined) ? parts.map((part) => part ?? create(message)) : undefined;
}
