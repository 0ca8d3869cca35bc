import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { idOf } from "#aip";
import type { JsonObject } from "#base";
import { ENVIRONMENT_FILE } from "../environment/env-var.ts";
import { putInEnvironment } from "../environment/put-in-environment.ts";
import { type Environment, environmentKey, readEnvironment } from "../environment/read-environment.ts";
import { type Findings, refuseViolations } from "../findings.ts";
import type { PackagedResource } from "../kinds.ts";
import { findAppManifest, findManifests, type ManifestPlace } from "../layout/find-manifests.ts";
import { reportUnusedFiles } from "../layout/report-unused.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { toMessage } from "../manifest/to-message.ts";
import type { PackageFiles } from "../package-files.ts";
import { loadTexts, type PythonSource } from "../texts/load-texts.ts";
import { displayNamesIn, displayNamesOf, withDisplayName, withoutDerivedName } from "./display-names.ts";
import { impossibleBecause } from "./impossible-resources.ts";
import { leaveOut } from "./leave-out.ts";
import type { LeftOut, ParsedPackage, ParsedResource } from "./parsed-package.ts";
import { pythonEnvironmentFile } from "./python-environment.ts";

/** Understands every file of a package. Throws INVALID_ARGUMENT with all violations when it cannot be imported at all. */
export function parsePackage(files: PackageFiles, findings: Findings): ParsedPackage {
  const reading = startReading(files, findings);
  const appPath = findAppManifest(files, findings) ?? "";
  const app = appPath === "" ? undefined : readApp(appPath, reading);
  const read = findManifests(files, findings).map((place) => readResource(place, reading));
  const resources = read.flatMap((result) => (result && "message" in result ? [result] : []));
  reportDuplicates(resources, findings);
  refuseViolations(findings);
  reportUnusedFiles(files, reading.used, findings);
  reportUnusedEnvironment(reading);
  // Without an app there was a violation, so this line is not reached.
  if (!app) throw new Error("the app's manifest was neither read nor refused");
  const leftOut = read.flatMap((result) => (result && !("message" in result) ? [result] : []));
  return { app, appPath, resources, leftOut, python: reading.python };
}

/** What the steps of one reading share. */
interface Reading {
  readonly files: PackageFiles;
  readonly findings: Findings;
  readonly environment: Environment;
  readonly usedEnvironment: Set<string>;
  readonly used: Set<string>;
  readonly python: PythonSource[];
}

function startReading(files: PackageFiles, findings: Findings): Reading {
  const environment = readEnvironment(files, findings);
  const used = new Set([ENVIRONMENT_FILE, ...pythonEnvironmentFile(files, findings)]);
  return { files, findings, environment, usedEnvironment: new Set(), used, python: [] };
}

function readApp(path: string, reading: Reading): App | undefined {
  const json = parse(path, reading);
  const made = json && toMessage(AppSchema, json, path, reading.findings);
  if (made?.kind === "failed") {
    reading.findings.violations.push(
      ...made.reasons.map((reason) => ({ field: "app_content", description: `${reason}.` })),
    );
  }
  if (made?.kind !== "made") return undefined;
  return complete(AppSchema, made.message, { manifest: path, key: "app" }, reading.environment.app, reading);
}

/** Undefined when the file cannot be read, which is a violation already. */
function readResource(place: ManifestPlace, reading: Reading): ParsedResource | LeftOut | undefined {
  const { kind, folder, path } = place;
  const { findings } = reading;
  const json = parse(path, reading);
  if (!json) return undefined;
  const failed = (reasons: readonly string[]): LeftOut =>
    leaveOut({ kind, displayNames: displayNamesIn(json, folder), reasons }, findings);
  const made = toMessage(kind.schema, json, path, findings);
  if (made.kind === "failed") return failed(made.reasons);
  // The kind's schema makes messages of the kind's type.
  const message = made.message as PackagedResource;
  const problem = impossibleBecause(message);
  return problem === undefined ? completeResource(place, message, reading) : failed([`${path}: ${problem}`]);
}

function completeResource(
  { kind, folder, path }: ManifestPlace,
  message: PackagedResource,
  reading: Reading,
): ParsedResource {
  const { environment, findings } = reading;
  const displayNames = displayNamesOf(message, path, folder, findings);
  const named = withDisplayName(kind.schema, message, displayNames[0]);
  const key = displayNames.flatMap((name) => environmentKey(environment, kind.part, name) ?? [])[0];
  if (key !== undefined) reading.usedEnvironment.add(key);
  const values = key === undefined ? undefined : environment.resources.get(key);
  const place = { manifest: path, key: (key ?? "").replace("/", ".") };
  const whole = complete(kind.schema, named, place, values, reading) as PackagedResource;
  return { kind, path, displayNames, id: idOf(message.name), message: withoutDerivedName(whole, message) };
}

function parse(path: string, { files, used, findings }: Reading): JsonObject | undefined {
  used.add(path);
  return parseManifest(path, files.get(path) ?? new Uint8Array(), findings);
}

/** Texts first: the environment goes into the text of schemas, too. */
function complete<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  place: { readonly manifest: string; readonly key: string },
  values: JsonObject | undefined,
  { files, findings, used, python }: Reading,
): MessageShape<Schema> {
  const loaded = loadTexts(schema, message, place.manifest, files, findings);
  for (const path of loaded.used) used.add(path);
  python.push(...loaded.python);
  return putInEnvironment(schema, loaded.message, values, place, findings);
}

/** Everything in a package is referred to by display name, so two of a kind with one name would be a guess. */
function reportDuplicates(resources: readonly ParsedResource[], { violations }: Findings): void {
  const first = new Map<string, ParsedResource>();
  for (const resource of resources) {
    const key = `${resource.kind.part}/${resource.displayNames[0]}`;
    const other = first.get(key);
    if (!other) first.set(key, resource);
    else violations.push({ field: resource.path, description: duplicate(resource, other) });
  }
}

function duplicate({ kind, displayNames }: ParsedResource, other: ParsedResource): string {
  return `Has the display name '${displayNames[0]}' of ${other.path}; a package has one ${kind.label} of a name.`;
}

function reportUnusedEnvironment({ environment, usedEnvironment, findings }: Reading): void {
  for (const key of environment.resources.keys()) {
    if (usedEnvironment.has(key)) continue;
    findings.warnings.push(
      `${ENVIRONMENT_FILE}: ${key.replace("/", ".")}: names no resource of the package and was ignored.`,
    );
  }
}
