import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import { isServerUrlField } from "../field-tables.ts";
import type { Findings } from "../findings.ts";
import { toMessage } from "../manifest/to-message.ts";
import { rewriteStrings } from "../rewrite-strings.ts";
import { ENV_VAR, ENVIRONMENT_FILE } from "./environment-file.ts";
import { replaceServerUrls, serverUrls } from "./server-urls.ts";

/** The places of the values, for warnings. */
interface EnvironmentPlace {
  readonly manifest: string;
  /** Path of the resource's values in `environment.json`, e.g. `tools.lookup_order`. */
  readonly key: string;
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
  const unused = new Map(valuesByPath(schema, values, place, findings));
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
  return filled ?? message;
}

const NO_VALUE = `is ${ENV_VAR} and ${ENVIRONMENT_FILE} has no value for it.`;

function valuesByPath<Schema extends DescMessage>(
  schema: Schema,
  values: JsonObject | undefined,
  { key }: EnvironmentPlace,
  findings: Findings,
): readonly (readonly [string, string])[] {
  if (!values) return [];
  const made = toMessage(schema, values, `${ENVIRONMENT_FILE}: ${key}`, findings);
  if (made.kind === "failed") {
    findings.violations.push(
      ...made.reasons.map(({ field, description }) => ({ field, description: `${description}.` })),
    );
    return [];
  }
  const found: (readonly [string, string])[] = [];
  rewriteStrings(schema, made.message, ({ path, value }) => {
    if (value !== "") found.push([path, value]);
    return undefined;
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
