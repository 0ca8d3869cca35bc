import { create } from "@bufbuild/protobuf";
import {
  type ImportAppRequest,
  type ImportAppResponse,
  ImportAppResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import type { AppTree, InspectPython, ResourceTree, WriteTreeOptions } from "../../contract.ts";
import { createFindings, type Findings, refuseViolations } from "../findings.ts";
import { KINDS, type Kind, type PackagedResource } from "../kinds.ts";
import { locateApp } from "../layout/package-root.ts";
import { PACKAGE_LIMITS, type PackageLimits } from "../zip/package-limits.ts";
import { readZip } from "../zip/read-zip.ts";
import { appMessage, type Naming } from "./app-message.ts";
import { assignNames, type Before, type NamedResource } from "./assign-names.ts";
import { checkPython } from "./check-python.ts";
import { parsePackage } from "./parse-package.ts";
import { rebindEvaluations } from "./rebind-evaluations.ts";
import { resolvePackage } from "./resolve-package.ts";
import { silentChanges } from "./silent-changes.ts";
import { contentOf, findTargetApp } from "./target-app.ts";

/** What an import needs of the world. */
export interface ImportDeps extends Naming {
  readonly tree: ResourceTree;
  readonly inspectPython: InspectPython;
  readonly limits?: PackageLimits;
}

/**
 * Imports a package (PKG-25): unpack, understand, name, resolve, check, and write once at the end. Whatever is
 * refused on the way has changed nothing.
 */
export async function importApp(request: ImportAppRequest, deps: ImportDeps): Promise<ImportAppResponse> {
  const findings = createFindings();
  const archive = await readZip(contentOf(request), deps.limits ?? PACKAGE_LIMITS);
  const files = locateApp(archive, findings);
  refuseViolations(findings);
  const parsed = parsePackage(files, findings);
  const before = await findTargetApp(request, deps.tree, deps.ids);
  const named = assignNames(parsed.resources, before, deps.ids, findings);
  const { app, resources } = resolvePackage(parsed, named, before, findings);
  const message = await appMessage(app, request.displayName, before, deps, findings);
  refuseViolations(findings);
  findings.warnings.push(...silentChanges(resources), ...(await checkPython(parsed.python, deps.inspectPython)));
  const tree = toTree(message, resources, before);
  const { warnings } = await deps.tree.writeTree(tree, writeOptions(request, before));
  return create(ImportAppResponseSchema, { name: before.app, warnings: distinct(findings, warnings) });
}

function toTree(app: AppTree["app"], resources: readonly NamedResource[], before: Before): AppTree {
  const part = (kind: Kind): readonly PackagedResource[] =>
    resources.filter((resource) => resource.kind === kind).map(({ name, message }) => ({ ...message, name }));
  // A part's list holds messages of its own kind only: they were made with the kind's schema.
  const parts = Object.fromEntries(KINDS.map((kind) => [kind.part, part(kind)])) as unknown as Omit<AppTree, "app">;
  return { app, ...parts, evaluations: [...parts.evaluations, ...rebindEvaluations(before, resources)] };
}

function writeOptions({ ignoreAppLock, importOptions }: ImportAppRequest, { overwrite }: Before): WriteTreeOptions {
  const deleteOthers = overwrite
    ? KINDS.filter(({ deletedByOverwrite }) => deletedByOverwrite).map(({ part }) => part)
    : [];
  return { ignoreLock: ignoreAppLock, validateOnly: importOptions?.validateOnly === true, deleteOthers };
}

function distinct({ warnings }: Findings, others: readonly string[]): string[] {
  return [...new Set([...warnings, ...others])];
}
