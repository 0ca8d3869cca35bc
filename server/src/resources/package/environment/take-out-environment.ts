import { create, type DescField, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { isWellKnown, setFields } from "../message/message-fields.ts";
import { rewriteStrings } from "../message/rewrite-strings.ts";
import { ENV_VAR } from "./env-var.ts";
import { isEnvironmentField, isServerUrlField } from "./environment-fields.ts";
import { replaceServerUrls, serverUrls } from "./server-urls.ts";

/** A resource without what depends on its place, and that part by itself; undefined when there is nothing of the kind. */
export interface TakenOut<Schema extends DescMessage> {
  readonly message: MessageShape<Schema>;
  readonly environment?: MessageShape<Schema>;
}

/**
 * Splits a resource for `environment.json`: values of environment fields become `$env_var` and stand in `environment` at
 * the same place; the server URL of an OpenAPI schema becomes its `url` there. Works before the texts are taken out.
 */
export function takeOutEnvironment<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
): TakenOut<Schema> {
  const lifted = liftServerUrls(schema, message);
  const environment = pick(schema, lifted) as MessageShape<Schema> | undefined;
  const bare = rewriteStrings(schema, lifted, ({ field, value }) => {
    if (isServerUrlField(field)) return "";
    return isEnvironmentField(field) && value !== "" ? ENV_VAR : undefined;
  });
  return { message: bare ?? lifted, ...(environment && { environment }) };
}

/** Moves the one server URL of an OpenAPI schema into `url`. Several different ones stay: one field cannot keep them. */
function liftServerUrls<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
): MessageShape<Schema> {
  let lifted: string | undefined;
  const marked = rewriteStrings(schema, message, ({ field, value }) => {
    if (field.name !== "open_api_schema") return undefined;
    const [url, ...others] = new Set(serverUrls(value));
    if (url === undefined || others.length > 0 || url === ENV_VAR) return undefined;
    lifted = url;
    return replaceServerUrls(value, () => ENV_VAR);
  });
  if (lifted === undefined || !marked) return message;
  setUrl(schema, marked, lifted);
  return marked;
}

/** Sets the `url` beside the schema: both messages that have one have it under the oneof of their resource. */
function setUrl(schema: DescMessage, message: Message, url: string): void {
  for (const { field, value } of setFields(schema, message)) {
    if (field.message?.fields.some(isServerUrlField)) (value as { url: string }).url = url;
  }
}

/** The environment fields of a message and nothing else, lists keeping their positions; undefined when there are none. */
function pick(schema: DescMessage, message: Message): Message | undefined {
  if (isWellKnown(schema)) return undefined;
  const picked: Record<string, unknown> = {};
  for (const { field, value } of setFields(schema, message)) {
    const part = pickField(field, value);
    if (part === undefined) continue;
    if (field.oneof) picked[field.oneof.localName] = { case: field.localName, value: part };
    else picked[field.localName] = part;
  }
  return Object.keys(picked).length === 0 ? undefined : create(schema, picked);
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
