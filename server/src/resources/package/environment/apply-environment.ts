import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { setUnknownFields, unknownFieldsOf, walkMessages } from "#aip";
import type { JsonObject } from "#base";
import { isServerUrlField } from "../field-tables.ts";
import type { Findings } from "../findings.ts";
import type { SourceOf } from "../manifest/source-document.ts";
import { toMessage } from "../manifest/to-message.ts";
import { isWellKnown, setFields } from "../message-fields.ts";
import { rewriteStrings } from "../rewrite-strings.ts";
import { ENV_VAR, ENVIRONMENT_FILE } from "./environment-file.ts";
import { replaceServerUrls, serverUrls } from "./server-urls.ts";

/** Where a resource and its values are. */
export interface EnvironmentPlace {
  readonly manifest: string;
  /** Path of the resource's values in `environment.json`, e.g. `tools.lookup_order`. */
  readonly key: string;
  /** The values as `environment.json` spells them. */
  readonly sourceOf: SourceOf;
}

/**
 * Replaces the `$env_var` placeholders of a resource with the values of `environment.json`, in fields and in the server URLs of OpenAPI
 * schemas whose text is loaded. A placeholder without a value stays; a value without a placeholder is not used, because the manifest's own
 * value takes precedence. Both are warnings.
 */
export function applyEnvironment<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  values: JsonObject | undefined,
  place: EnvironmentPlace,
  findings: Findings,
): MessageShape<Schema> {
  const environment = readValues(schema, values, place, findings);
  const unused = new Map(environment ? valuesByPath(schema, environment) : []);
  const url = serverUrlFor(schema, message, unused);
  const filled = rewriteStrings(schema, message, ({ field, value, path }) => {
    if (isServerUrlField(field)) return "";
    if (field.name === "open_api_schema") return applyServerUrl(value, url, `${place.manifest}: ${path}`, findings);
    if (value !== ENV_VAR) return undefined;
    const given = unused.get(path);
    unused.delete(path);
    if (given === undefined) findings.warnings.push(`${place.manifest}: ${path}: ${NO_VALUE}`);
    return given;
  });
  for (const path of unused.keys()) {
    findings.warnings.push(
      `${ENVIRONMENT_FILE}: ${place.key}.${path}: was not used: the manifest has no ${ENV_VAR} there.`,
    );
  }
  const whole = filled ?? message;
  if (environment && !addUnknownFields(schema, whole, environment))
    findings.warnings.push(`${ENVIRONMENT_FILE}: ${place.key}: ${NO_PART}`);
  return whole;
}

const NO_PART = "has unknown fields in a part that the manifest does not have; they were ignored.";
const NO_VALUE = `is ${ENV_VAR} and ${ENVIRONMENT_FILE} has no value for it.`;

/** The values of a resource as a message. */
function readValues<Schema extends DescMessage>(
  schema: Schema,
  values: JsonObject | undefined,
  { key, sourceOf }: EnvironmentPlace,
  findings: Findings,
): MessageShape<Schema> | undefined {
  if (!values) return undefined;
  const made = toMessage(schema, values, `${ENVIRONMENT_FILE}: ${key}`, findings, sourceOf);
  if (made.kind === "made") return made.message;
  findings.violations.push(
    ...made.reasons.map(({ field, description }) => ({ field, description: `${description}.` })),
  );
  return undefined;
}

function valuesByPath<Schema extends DescMessage>(
  schema: Schema,
  environment: MessageShape<Schema>,
): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  rewriteStrings(schema, environment, ({ path, value }) => {
    if (value !== "") found.push([path, value]);
    return undefined;
  });
  return found;
}

/** Adds the unknown fields of the values to the messages that they are values of (PKG-30). False when one is missing. */
function addUnknownFields(schema: DescMessage, message: Message, environment: Message): boolean {
  const own = unknownFieldsOf(environment).map((field) => ({ ...field, isEnvironment: true }));
  if (own.length > 0) setUnknownFields(message, [...unknownFieldsOf(message), ...own]);
  const targets = new Map(setFields(schema, message).map(({ field, value }) => [field, value]));
  return setFields(schema, environment).every(({ field, value }) => {
    const type = field.message;
    if (!type || isWellKnown(type) || field.fieldKind === "map") return true;
    const values = field.fieldKind === "list" ? (value as Message[]) : [value as Message];
    const target = targets.get(field);
    const messages = field.fieldKind === "list" ? ((target ?? []) as Message[]) : target ? [target as Message] : [];
    return values
      .map((each, index) => {
        const below = messages[index];
        return below ? addUnknownFields(type, below, each) : !hasUnknownFields(type, each);
      })
      .every(Boolean);
  });
}

function hasUnknownFields(schema: DescMessage, message: Message): boolean {
  let found = false;
  walkMessages(schema, message, (each) => {
    found ||= unknownFieldsOf(each.message).length > 0;
  });
  return found;
}

/** The server URL of `environment.json`, else the one in the manifest, as packages written by hand have it. */
function serverUrlFor<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  unused: Map<string, string>,
): string | undefined {
  for (const path of ["openApiToolset.url", "openApiTool.url"]) {
    const url = unused.get(path);
    unused.delete(path);
    if (url !== undefined) return url;
  }
  let own: string | undefined;
  rewriteStrings(schema, message, ({ field, value }) => {
    if (isServerUrlField(field) && value !== "") own = value;
    return undefined;
  });
  return own;
}

function applyServerUrl(text: string, url: string | undefined, field: string, findings: Findings): string {
  const hasPlaceholder = serverUrls(text).includes(ENV_VAR);
  if (hasPlaceholder && url === undefined) findings.warnings.push(`${field}: ${NO_VALUE}`);
  if (!hasPlaceholder && url !== undefined) {
    findings.warnings.push(
      `${field}: the server URL '${url}' was not used: the schema has no ${ENV_VAR} among its servers.`,
    );
  }
  if (!hasPlaceholder || url === undefined) return text;
  return replaceServerUrls(text, (found) => (found === ENV_VAR ? url : undefined));
}
