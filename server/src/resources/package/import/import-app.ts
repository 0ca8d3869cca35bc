import { create } from "@bufbuild/protobuf";
import {
  type ImportAppRequest,
  type ImportAppResponse,
  ImportAppResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import { definedFields, type ObjectStorage, thrownMessage } from "#base";
import type { AppTree, InspectPython, ResourceTree, WriteTreeOptions } from "../../contract.ts";
import { limitConcurrency } from "../../python/concurrency-limit.ts";
import { loadError } from "../../python/load-error.ts";
import { PACKAGE_LIMITS, type PackageLimits, readZip } from "../archive/read-zip.ts";
import { createFindings, type Findings, throwViolations, warningsOf } from "../findings.ts";
import { KINDS, type Kind, type PackagedResource } from "../kinds.ts";
import { findAppFiles } from "../layout.ts";
import type { ReadManifest } from "../manifest/read-manifest.ts";
import type { PythonSource } from "../texts.ts";
import { addDatasetMembers } from "./add-dataset-members.ts";
import { importContent } from "./app-content.ts";
import { assignNames, type ImportTarget, type NamedResource } from "./assign-names.ts";
import { placeholderFor, withPlaceholders } from "./guardrail-placeholders.ts";
import { hostedChanges } from "./hosted-changes.ts";
import { DOES_NOT_LOAD } from "./import-faults.ts";
import { parsePackage } from "./parse-package.ts";
import type { ParsedPackage } from "./parsed-package.ts";
import { patchPackage } from "./patch/patch-package.ts";
import { rebindEvaluations } from "./rebind-evaluations.ts";
import { refusedResources } from "./refused-resources.ts";
import { resolvePackage } from "./resolve-package.ts";
import { appMessage, findTargetApp, type Naming } from "./target-app.ts";

interface ImportDeps extends Naming {
  readonly tree: ResourceTree;
  readonly inspectPython: InspectPython;
  readonly readManifest: ReadManifest;
  readonly limits?: PackageLimits;
  readonly objects?: ObjectStorage | undefined;
  readonly mayWrite: WriteTreeOptions["mayWrite"];
}

/**
 * Imports a package (PKG-25): unpack, parse, assign names, resolve references, check Python, and write once at the end. An import
 * that fails has changed nothing, and tells all faults of the package at once.
 */
export async function importApp(
  request: ImportAppRequest,
  author: string,
  deps: ImportDeps,
): Promise<ImportAppResponse> {
  const findings = createFindings();
  const limits = deps.limits ?? PACKAGE_LIMITS;
  const { zip, patch } = await importContent(request, limits, deps.objects);
  const packed = findAppFiles(await readZip(zip, limits), findings);
  throwViolations(findings);
  const files = patch ? await patchPackage(packed, patch, deps.readManifest) : packed;
  const parsed = withPlaceholders(await parsePackage(files, deps.readManifest, findings));
  const target = await findTargetApp(request, deps.tree, deps.ids);
  const members = addDatasetMembers(parsed.resources, target, findings);
  const named = assignNames(members, target, deps.ids, findings);
  const app = await appMessage(parsed.app, request.displayName, target, deps, findings);
  const python = await checkPython(parsed.python, deps.inspectPython);
  findings.warnings.push(...(await hostedChanges(named, deps.inspectPython)), ...python.map(({ warning }) => warning));
  const warnings = await writePackage({ ...parsed, app }, named, target, {
    request,
    author,
    findings,
    tree: deps.tree,
    mayWrite: deps.mayWrite,
  });
  const repeated = new Set(python.flatMap((problem) => problem.repeated ?? []));
  const others = warnings.filter((warning) => !repeated.has(LOAD_ERROR.exec(warning)?.[0] ?? ""));
  return create(ImportAppResponseSchema, { name: target.app, warnings: warningsOf(findings, others) });
}

interface Writing {
  readonly request: ImportAppRequest;
  readonly author: string;
  readonly findings: Findings;
  readonly tree: ResourceTree;
  readonly mayWrite: WriteTreeOptions["mayWrite"];
}

/** Writes the package, and again without the resources that the app's rules refuse, if it can do without them (PKG-28). */
async function writePackage(
  parsed: ParsedPackage,
  named: readonly NamedResource[],
  target: ImportTarget,
  writing: Writing,
): Promise<readonly string[]> {
  const { request, author, findings, tree, mayWrite } = writing;
  const { app, resources, omitted } = await resolvePackage(parsed, named, target, findings);
  throwViolations(findings);
  try {
    const options = { ...writeOptions(request, target), author, ...definedFields({ mayWrite }) };
    return (await tree.writeTree(toTree(app, resources, target), options)).warnings;
  } catch (error) {
    const refused = refusedResources(error, resources, parsed.appPath, findings);
    throwViolations(findings);
    const written = new Set(resources.map(({ name }) => name));
    const refusals = new Map(refused.map((resource) => [resource.name, resource]));
    const others = named.flatMap((resource) => {
      if (!written.has(resource.name)) return [];
      const placeholder = refusals.has(resource.name) ? placeholderFor(resource, parsed.listedGuardrails) : resource;
      if (placeholder) refusals.delete(resource.name);
      return placeholder ?? [];
    });
    return writePackage({ ...parsed, omitted: [...omitted, ...refusals.values()] }, others, target, writing);
  }
}

function toTree(app: AppTree["app"], resources: readonly NamedResource[], target: ImportTarget): AppTree {
  const part = (kind: Kind): readonly PackagedResource[] =>
    resources.filter((resource) => resource.kind === kind).map(({ name, message }) => ({ ...message, name }));
  // The messages of a part's list are of its kind: they were created with the kind's schema.
  const parts = Object.fromEntries(KINDS.map((kind) => [kind.part, part(kind)])) as unknown as Omit<AppTree, "app">;
  return { app, ...parts, evaluations: [...parts.evaluations, ...rebindEvaluations(target, resources)] };
}

function writeOptions(
  { ignoreAppLock, importOptions }: ImportAppRequest,
  { overwrite }: ImportTarget,
): WriteTreeOptions {
  const deleteOthers = overwrite
    ? KINDS.filter(({ deletedByOverwrite }) => deletedByOverwrite).map(({ part }) => part)
    : [];
  return { ignoreLock: ignoreAppLock, validateOnly: importOptions?.validateOnly === true, deleteOthers };
}

/** Files that are checked at the same time: the sandbox refuses calls of an app of which hundreds wait. */
const MAX_CHECKS = 4;

/** A Python text that does not load, or could not be checked. */
interface PythonProblem {
  /** With file, line and column. */
  readonly warning: string;
  /** What the validation error of the same fault says, which would repeat the warning: see `LOAD_ERROR`. */
  readonly repeated?: string;
}

/** What a validation error says of Python that does not load, without its full stop. */
const LOAD_ERROR = /line \d+, column \d+: does not load: .*(?=\.$)/s;

/**
 * The Python texts that do not load. The hosted product omits such tools and callbacks; here they are imported, so that the app shows the
 * error instead of missing a part.
 */
async function checkPython(
  sources: readonly PythonSource[],
  inspect: InspectPython,
): Promise<readonly PythonProblem[]> {
  const limited = limitConcurrency(MAX_CHECKS);
  const found = await Promise.all(sources.map((source) => limited(() => problemOf(source, inspect))));
  return found.flatMap((problem) => problem ?? []);
}

async function problemOf(
  { file, field, code }: PythonSource,
  inspect: InspectPython,
): Promise<PythonProblem | undefined> {
  try {
    const module = await inspect(code);
    if (module.kind === "module") return undefined;
    const { line, column } = module;
    const error = loadError(module);
    return {
      warning: `${file}:${line}:${column}: ${error} (${field}). ${DOES_NOT_LOAD}`,
      repeated: `line ${line}, column ${column}: does not load: ${error}`,
    };
  } catch (error) {
    const reason = thrownMessage(error);
    return { warning: `${file}: could not be checked (${field}): ${reason}` };
  }
}
