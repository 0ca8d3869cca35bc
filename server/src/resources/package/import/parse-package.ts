import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { idOf } from "#aip";
import type { JsonObject } from "#base";
import { applyEnvironment } from "../environment/apply-environment.ts";
import {
  ENVIRONMENT_FILE,
  type Environment,
  environmentKey,
  readEnvironment,
} from "../environment/environment-file.ts";
import { type Findings, throwViolations } from "../findings.ts";
import type { PackagedResource } from "../kinds.ts";
import { findAppManifest, findManifests, type ManifestPlace, reportUnusedFiles } from "../layout.ts";
import { manifestText, parseManifest } from "../manifest/parse-manifest.ts";
import { type SourceOf, sourceOfManifest } from "../manifest/source-document.ts";
import { toMessage } from "../manifest/to-message.ts";
import type { PackageFiles } from "../package-files.ts";
import { loadTexts, type PythonSource } from "../texts.ts";
import { displayNamesIn, displayNamesOf, withDisplayName, withoutDerivedName } from "./display-names.ts";
import { type OmittedResource, type ParsedPackage, type ParsedResource, reportOmitted } from "./parsed-package.ts";

/** Parses all files of a package. Throws INVALID_ARGUMENT with all violations when it cannot be imported at all. */
export function parsePackage(files: PackageFiles, findings: Findings): ParsedPackage {
  const state = startParsing(files, findings);
  const appPath = findAppManifest(files, findings) ?? "";
  const app = appPath === "" ? undefined : readApp(appPath, state);
  const read = findManifests(files, findings).map((place) => readResource(place, state));
  const resources = read.flatMap((result) => (result && "message" in result ? [result] : []));
  reportDuplicates(resources, findings);
  throwViolations(findings);
  reportUnusedFiles(files, state.used, findings);
  reportUnusedEnvironment(state);
  // Without an app there was a violation, so this is not reached.
  if (!app) throw new Error("the app's manifest was neither parsed nor a violation");
  const omitted = read.flatMap((result) => (result && !("message" in result) ? [result] : []));
  return { app, appPath, resources, omitted, python: state.python };
}

/** The state of parsing one package. */
interface ParseState {
  readonly files: PackageFiles;
  readonly findings: Findings;
  readonly environment: Environment;
  readonly usedEnvironment: Set<string>;
  readonly used: Set<string>;
  readonly python: PythonSource[];
}

function startParsing(files: PackageFiles, findings: Findings): ParseState {
  const environment = readEnvironment(files, findings);
  const used = new Set([ENVIRONMENT_FILE, ...pythonEnvironmentFiles(files, findings)]);
  return { files, findings, environment, usedEnvironment: new Set(), used, python: [] };
}

function readApp(path: string, state: ParseState): App | undefined {
  const json = parse(path, state);
  const made = json && toMessage(AppSchema, json, path, state.findings, sourceOf(path, json, state));
  if (made?.kind === "failed") {
    state.findings.violations.push(
      ...made.reasons.map((reason) => ({ field: "app_content", description: `${reason}.` })),
    );
  }
  if (made?.kind !== "made") return undefined;
  return complete(AppSchema, made.message, { manifest: path, key: "app" }, state.environment.app, state);
}

/** Undefined when the file cannot be parsed, which is a violation already. */
function readResource(place: ManifestPlace, state: ParseState): ParsedResource | OmittedResource | undefined {
  const { kind, folder, path } = place;
  const { findings } = state;
  const json = parse(path, state);
  if (!json) return undefined;
  const failed = (reasons: readonly string[]): OmittedResource =>
    reportOmitted({ kind, displayNames: displayNamesIn(json, folder), reasons }, findings);
  const made = toMessage(kind.schema, json, path, findings, sourceOf(path, json, state));
  if (made.kind === "failed") return failed(made.reasons);
  // The kind's schema makes messages of the kind's type.
  const message = made.message as PackagedResource;
  const problem = importProblem(message);
  return problem === undefined ? completeResource(place, message, state) : failed([`${path}: ${problem}`]);
}

function completeResource(
  { kind, folder, path }: ManifestPlace,
  message: PackagedResource,
  state: ParseState,
): ParsedResource {
  const { environment, findings } = state;
  const displayNames = displayNamesOf(message, path, folder, findings);
  const named = withDisplayName(kind.schema, message, displayNames[0]);
  const key = displayNames.flatMap((name) => environmentKey(environment, kind.part, name) ?? [])[0];
  if (key !== undefined) state.usedEnvironment.add(key);
  const values = key === undefined ? undefined : environment.resources.get(key);
  const place = { manifest: path, key: (key ?? "").replace("/", ".") };
  const whole = complete(kind.schema, named, place, values, state) as PackagedResource;
  return { kind, path, displayNames, id: idOf(message.name), message: withoutDerivedName(whole, message) };
}

function parse(path: string, { files, used, findings }: ParseState): JsonObject | undefined {
  used.add(path);
  return parseManifest(path, files.get(path) ?? new Uint8Array(), findings);
}

function sourceOf(path: string, json: JsonObject, { files }: ParseState): SourceOf {
  return sourceOfManifest(path, manifestText(files.get(path) ?? new Uint8Array()) ?? "", json);
}

/** Loads texts first: texts of schemas have values of the environment too. */
function complete<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  place: { readonly manifest: string; readonly key: string },
  values: JsonObject | undefined,
  { files, findings, used, python }: ParseState,
): MessageShape<Schema> {
  const loaded = loadTexts(schema, message, place.manifest, files, findings);
  for (const path of loaded.used) used.add(path);
  python.push(...loaded.python);
  return applyEnvironment(schema, loaded.message, values, place, findings);
}

/** References of a package are display names, so two resources of a kind cannot have the same one. */
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

function reportUnusedEnvironment({ environment, usedEnvironment, findings }: ParseState): void {
  for (const key of environment.resources.keys()) {
    if (usedEnvironment.has(key)) continue;
    findings.warnings.push(
      `${ENVIRONMENT_FILE}: ${key.replace("/", ".")}: is no resource of the package and was ignored.`,
    );
  }
}

/**
 * The `pythonEnvFiles` manifest of exports since July 2026, always empty so far (PKG-8). Content is a
 * warning, since its meaning is not published. Returns the manifest files.
 */
function pythonEnvironmentFiles(files: PackageFiles, findings: Findings): readonly string[] {
  const paths = ["json", "yaml", "yml"]
    .map((ending) => `pythonEnvFiles/pythonEnvFiles.${ending}`)
    .filter((path) => files.has(path));
  for (const path of paths) {
    const json = parseManifest(path, files.get(path) ?? new Uint8Array(), findings);
    if (json && Object.keys(json).length > 0)
      findings.warnings.push(`${path}: is expected to be empty; its content was ignored.`);
  }
  return paths;
}

/**
 * Why a well-formed resource cannot be imported, whatever else the package has; undefined when it can. Such a resource
 * is omitted and the rest is imported (PKG-28), as `ImportAppResponse.warnings` documents.
 */
function importProblem(message: PackagedResource): string | undefined {
  if (message.$typeName === "google.cloud.ces.v1beta.Tool") {
    const type = message.toolType.case;
    if (type === undefined) return "a tool needs a type, e.g. pythonFunction";
    if (type === "systemTool") return "system tools exist in every app and need no manifest";
    if (type === "mcpTool") return "MCP tools are managed by their toolset; use a toolset with mcpToolset";
  }
  if (message.$typeName === "google.cloud.ces.v1beta.Toolset" && message.toolsetType.case === undefined) {
    return "a toolset needs a type, e.g. openApiToolset";
  }
  return undefined;
}
