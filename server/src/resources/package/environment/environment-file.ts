import { snakeCase } from "#aip";
import { fileSafeName, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { Findings } from "../findings.ts";
import { KINDS } from "../kinds.ts";
import type { ReadManifest } from "../manifest/read-manifest.ts";
import type { SourceOf } from "../manifest/source-document.ts";
import type { PackageFiles } from "../package-files.ts";

/** The placeholder in a manifest or schema for a value of `environment.json`. */
export const ENV_VAR = "$env_var";

/** The file with the values that depend on the environment. It is JSON in YAML packages too (PKG-20). */
export const ENVIRONMENT_FILE = "environment.json";

/** The values of `environment.json` by resource. */
export interface Environment {
  readonly app: JsonObject | undefined;
  /** By `<folder of the kind>/<display name>`, e.g. `tools/lookup_order`. */
  readonly resources: ReadonlyMap<string, JsonObject>;
  readonly sourceOf: SourceOf;
}

const EMPTY: Environment = { app: undefined, resources: new Map(), sourceOf: () => undefined };

/** Reads `environment.json`; without the file there are no values. */
export async function readEnvironment(
  files: PackageFiles,
  read: ReadManifest,
  findings: Findings,
): Promise<Environment> {
  const manifest = files.has(ENVIRONMENT_FILE) ? await read(ENVIRONMENT_FILE, files, findings) : undefined;
  if (!manifest) return EMPTY;
  const { json, sourceOf } = manifest;
  const resources = new Map<string, JsonObject>();
  for (const [key, value] of Object.entries(json)) {
    if (key === "app") continue;
    const kind = KINDS.find(({ part }) => part === key || snakeCase(part) === key);
    if (!kind) findings.warnings.push(`${ENVIRONMENT_FILE}: ${key}: is not a kind of resource and was ignored.`);
    else for (const [name, values] of entriesOf(value, key, findings)) resources.set(`${kind.part}/${name}`, values);
  }
  const [app] = "app" in json ? entriesOf({ app: json.app ?? null }, "", findings) : [];
  return { app: app?.[1], resources, sourceOf };
}

/** The key of a resource's values: its display name, or the file-safe form of it (PKG-20). */
export function environmentKey(environment: Environment, part: string, displayName: string): string | undefined {
  const keys = [`${part}/${displayName}`, `${part}/${fileSafeName(displayName)}`];
  return keys.find((key) => environment.resources.has(key));
}

function entriesOf(value: JsonValue, path: string, findings: Findings): readonly (readonly [string, JsonObject])[] {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  if (!isJsonObject(value))
    findings.violations.push({ field: `${ENVIRONMENT_FILE}: ${path}`, description: "must be an object." });
  return entries.flatMap(([name, values]) => {
    if (isJsonObject(values)) return [[name, values] as const];
    const field = [ENVIRONMENT_FILE, [path, name].filter(Boolean).join(".")].join(": ");
    findings.violations.push({ field, description: "must be an object." });
    return [];
  });
}
