import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { idOf, unknownTypeOf } from "#aip";
import { createPauses, fileSafeName, type JsonObject } from "#base";
import type { FieldViolation } from "#status";
import { isSystemToolName } from "../../system-tools.ts";
import { applyEnvironment, type EnvironmentPlace } from "../environment/apply-environment.ts";
import {
  ENVIRONMENT_FILE,
  type Environment,
  environmentKey,
  readEnvironment,
} from "../environment/environment-file.ts";
import { createFindings, type Findings } from "../findings.ts";
import type { PackagedResource } from "../kinds.ts";
import { filesByFolder, findAppManifest, findManifests, type ManifestPlace, reportUnusedFiles } from "../layout.ts";
import type { Manifest, ReadManifest } from "../manifest/read-manifest.ts";
import { toMessage } from "../manifest/to-message.ts";
import type { PackageFiles } from "../package-files.ts";
import { loadTexts, type PythonSource } from "../texts.ts";
import {
  type DisplayNames,
  displayNamesIn,
  displayNamesInText,
  displayNamesOf,
  withDisplayName,
  withoutDerivedName,
} from "./display-names.ts";
import { listedGuardrails } from "./guardrail-placeholders.ts";
import {
  fault,
  type OmittedResource,
  type ParsedPackage,
  type ParsedResource,
  reportOmitted,
  sentence,
} from "./parsed-package.ts";

/**
 * Parses all files of a package. What cannot be parsed is left out where the rest can do without it, and else a violation (PKG-28); after
 * a violation the result serves only to find the others.
 */
export async function parsePackage(
  files: PackageFiles,
  readManifest: ReadManifest,
  findings: Findings,
): Promise<ParsedPackage> {
  const state = await startParsing(files, readManifest, findings);
  const appPath = findAppManifest(files, findings) ?? "";
  const app = appPath === "" ? undefined : await readApp(appPath, state);
  const { places, withoutManifest } = findManifests(files, findings);
  const read: (ParsedResource | OmittedResource)[] = [];
  for (const place of places) {
    read.push(await readResource(place, state));
    await state.pause();
  }
  const { kept, repeated } = withoutRepeatedNames(read.filter((result) => "message" in result));
  reportUnusedFiles(files, state.used, findings);
  reportUnusedEnvironment(state);
  const message = app ?? create(AppSchema, { displayName: appPath });
  return {
    app: message,
    appPath,
    resources: kept,
    omitted: [
      ...read.filter((result) => "reasons" in result),
      ...repeated.map((omitted) => reportOmitted(omitted, findings)),
      ...withoutManifest.map(({ kind, folder }) => ({ kind, displayNames: [folder] as const, reasons: [] })),
    ],
    python: state.python,
    listedGuardrails: listedGuardrails(message, kept),
  };
}

/** The state of parsing one package. */
interface ParseState {
  readonly files: PackageFiles;
  readonly readManifest: ReadManifest;
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
  readonly findings: Findings;
  readonly environment: Environment;
  readonly usedEnvironment: Set<string>;
  readonly used: Set<string>;
  readonly python: PythonSource[];
  /** Lets other calls run: a manifest of many values takes tens of milliseconds for each step. */
  readonly pause: () => Promise<void> | undefined;
}

async function startParsing(files: PackageFiles, readManifest: ReadManifest, findings: Findings): Promise<ParseState> {
  const environment = await readEnvironment(files, readManifest, findings);
  const used = new Set([ENVIRONMENT_FILE, ...(await pythonEnvironmentFiles(files, readManifest, findings))]);
  const byFolder = filesByFolder(files);
  const pause = createPauses();
  return { files, readManifest, byFolder, findings, environment, usedEnvironment: new Set(), used, python: [], pause };
}

/** Undefined for a manifest that cannot be read, which is a violation: there is no app without it. */
async function readApp(path: string, state: ParseState): Promise<App | undefined> {
  const manifest = await read(path, state, state.findings);
  await state.pause();
  const made = manifest && toMessage(AppSchema, manifest.json, path, state.findings, manifest.sourceOf);
  if (made?.kind === "failed") state.findings.violations.push(...made.reasons.map(sentence));
  if (made?.kind !== "made") return undefined;
  const place = { manifest: path, key: "app", sourceOf: state.environment.sourceOf };
  return complete(AppSchema, made.message, place, state.environment.app, state, state.findings);
}

async function readResource(place: ManifestPlace, state: ParseState): Promise<ParsedResource | OmittedResource> {
  const { kind, folder, path, problem } = place;
  // Of its own, because its faults leave out the resource and not the import, and its warnings are void then.
  const findings = createFindings();
  const omit = (
    displayNames: DisplayNames,
    reasons: readonly FieldViolation[],
    { enabled }: { readonly enabled?: unknown } = { enabled: true },
  ): OmittedResource => {
    // The files of the folder are left out with the resource.
    for (const file of state.byFolder.get(`${kind.part}/${folder}/`) ?? []) state.used.add(file);
    return reportOmitted({ kind, displayNames, reasons, isOff: !enabled }, state.findings);
  };
  if (problem !== undefined) return omit([folder], [{ field: `${kind.part}/${folder}/`, description: problem }]);
  const manifest = await read(path, state, findings);
  await state.pause();
  if (!manifest) return omit(displayNamesInText(state.files.get(path), folder), findings.violations.map(fault));
  const { json, sourceOf } = manifest;
  const made = toMessage(kind.schema, json, path, findings, sourceOf);
  if (made.kind === "failed") return omit(displayNamesIn(json, folder), made.reasons, json);
  // The kind's schema makes messages of the kind's type.
  const message = made.message as PackagedResource;
  const misfit = importProblem(message, folder);
  if (misfit !== undefined) return omit(displayNamesIn(json, folder), [{ field: path, description: misfit }]);
  const checked = state.python.length;
  await state.pause();
  const whole = await completeResource(place, message, state, findings);
  if (findings.violations.length === 0) {
    state.findings.warnings.push(...findings.warnings);
    return whole;
  }
  // Python of a resource that is left out is not checked.
  state.python.length = checked;
  return omit(whole.displayNames, findings.violations.map(fault), json);
}

async function completeResource(
  { kind, folder, path }: ManifestPlace,
  message: PackagedResource,
  state: ParseState,
  findings: Findings,
): Promise<ParsedResource> {
  const { environment } = state;
  const displayNames = displayNamesOf(message, path, folder, findings);
  const named = withDisplayName(kind.schema, message, displayNames[0]);
  const key = displayNames.flatMap((name) => environmentKey(environment, kind.part, name) ?? [])[0];
  if (key !== undefined) state.usedEnvironment.add(key);
  const values = key === undefined ? undefined : environment.resources.get(key);
  const place = { manifest: path, key: (key ?? "").replace("/", "."), sourceOf: environment.sourceOf };
  const whole = (await complete(kind.schema, named, place, values, state, findings)) as PackagedResource;
  return { kind, path, displayNames, id: idOf(message.name), message: withoutDerivedName(whole, message) };
}

function read(
  path: string,
  { files, readManifest, used }: ParseState,
  findings: Findings,
): Promise<Manifest | undefined> {
  used.add(path);
  return readManifest(path, files, findings);
}

/** Loads texts first: texts of schemas have values of the environment too. */
async function complete<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  place: EnvironmentPlace,
  values: JsonObject | undefined,
  { files, used, python, pause }: ParseState,
  findings: Findings,
): Promise<MessageShape<Schema>> {
  await pause();
  const loaded = loadTexts(schema, message, place.manifest, files, findings);
  for (const path of loaded.used) used.add(path);
  for (const source of loaded.python) python.push(source);
  await pause();
  return applyEnvironment(schema, loaded.message, values, place, findings);
}

/**
 * References of a package are display names, so two resources of a kind cannot have the same one. The one in the folder of that name is
 * kept, else the first.
 */
function withoutRepeatedNames(resources: readonly ParsedResource[]) {
  const groups = Map.groupBy(resources, ({ kind, displayNames }) => `${kind.part}/${displayNames[0]}`);
  const repeated: OmittedResource[] = [];
  for (const group of groups.values()) {
    const isAtHome = ({ path, displayNames: [name] }: ParsedResource) => path.includes(`/${fileSafeName(name)}/`);
    const kept = group.find(isAtHome) ?? group[0];
    for (const resource of group) if (kept && resource !== kept) repeated.push(repetition(resource, kept));
  }
  const omitted = new Set(repeated.flatMap(({ reasons }) => reasons.map(({ field }) => field)));
  return { kept: resources.filter(({ path }) => !omitted.has(path)), repeated };
}

function repetition({ kind, displayNames, path }: ParsedResource, kept: ParsedResource): OmittedResource {
  const description = `has the display name '${displayNames[0]}' of ${kept.path}; a package has one ${kind.label} of a name`;
  return { kind, displayNames, reasons: [{ field: path, description }] };
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
async function pythonEnvironmentFiles(
  files: PackageFiles,
  readManifest: ReadManifest,
  findings: Findings,
): Promise<readonly string[]> {
  const paths = ["json", "yaml", "yml"]
    .map((ending) => `pythonEnvFiles/pythonEnvFiles.${ending}`)
    .filter((path) => files.has(path));
  for (const path of paths) {
    const manifest = await readManifest(path, files, createFindings());
    if (!manifest || Object.keys(manifest.json).length > 0)
      findings.warnings.push(`${path}: is expected to be empty; its content was ignored.`);
  }
  return paths;
}

/**
 * Why a well-formed resource cannot be imported, whatever else the package has; undefined when it can. Such a resource
 * is omitted and the rest is imported (PKG-28), as `ImportAppResponse.warnings` documents.
 */
function importProblem(message: PackagedResource, folder: string): string | undefined {
  if (message.$typeName === "google.cloud.ces.v1beta.Tool") {
    const type = message.toolType.case;
    const name = message.toolType.value?.name || message.displayName || folder;
    if (type !== "systemTool" && isSystemToolName(name))
      return `'${name}' is the name of a system tool, which every app has without a manifest`;
    if (type === undefined) {
      const unknown = unknownTypeOf(message, "Tool") ?? unknownTypeOf(message, "Function");
      return unknown
        ? `'${unknown}' is not a type of tool that is known here`
        : "a tool needs a type, e.g. pythonFunction";
    }
    if (type === "systemTool") return "system tools exist in every app and need no manifest";
    if (type === "mcpTool") return "MCP tools are managed by their toolset; use a toolset with mcpToolset";
  }
  if (message.$typeName === "google.cloud.ces.v1beta.Toolset" && message.toolsetType.case === undefined) {
    return "a toolset needs a type, e.g. openApiToolset";
  }
  return undefined;
}
