import type { DescMessage } from "@bufbuild/protobuf";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { idOf } from "#aip";
import { createPauses } from "#base";
import type { FieldViolation } from "#status";
import { isSystemToolName } from "../../system-tools.ts";
import type { Findings } from "../findings.ts";
import { KINDS, type Kind, type PackagedResource } from "../kinds.ts";
import { type ReferenceLookup, type Resolved, resolveReferences, type Target } from "../references.ts";
import type { ImportTarget, NamedResource } from "./assign-names.ts";
import { placeholderFor } from "./guardrail-placeholders.ts";
import { fault, type OmittedResource, type ParsedPackage, reportOmitted } from "./parsed-package.ts";

/** A package with resource names in all references. */
interface ResolvedPackage {
  readonly app: App;
  readonly resources: readonly NamedResource[];
  /** Those of the package, and those that require one of them. */
  readonly omitted: readonly OmittedResource[];
}

/**
 * Resolves all references of a package. A dangling reference is a violation. A reference to an omitted resource is removed, or the resource
 * that requires it is omitted too, until no further resource must be omitted.
 */
export async function resolvePackage(
  parsed: ParsedPackage,
  named: readonly NamedResource[],
  target: ImportTarget,
  findings: Findings,
): Promise<ResolvedPackage> {
  const pause = createPauses();
  const omitted = [...parsed.omitted];
  const results = new Map<NamedResource, Result | undefined>(named.map((resource) => [resource, undefined]));
  for (;;) {
    const find = createReferenceLookup([...results.keys()], omitted, target);
    const toOmit: Result[] = [];
    for (const [resource, known] of results) {
      if (known) continue;
      const result = resolveOne(resource, find);
      results.set(resource, result);
      if (mustBeOmitted(result)) toOmit.push(result);
      await pause();
    }
    if (toOmit.length === 0)
      return finish({ ...parsed, omitted }, [...results.values()].filter(isResolved), find, findings);
    for (const result of toOmit) {
      results.delete(result.resource);
      const left = omitDependent(result, findings);
      const placeholder = placeholderFor(result.resource, parsed.listedGuardrails);
      if (placeholder) results.set(placeholder, undefined);
      else omitted.push(left);
    }
    // Only what refers to an omitted resource can have another result now.
    const gone = new Set(toOmit.map(({ resource }) => resource.name));
    for (const [resource, result] of results)
      if (result?.found.some((name) => gone.has(name))) results.set(resource, undefined);
    await pause();
  }
}

function isResolved(result: Result | undefined): result is Result {
  return result !== undefined;
}

interface Result {
  readonly resource: NamedResource;
  /** Names of the resources that it refers to. */
  readonly found: readonly string[];
  readonly resolved: Resolved<DescMessage>;
}

function resolveOne(resource: NamedResource, find: ReferenceLookup): Result {
  const { kind, message, path } = resource;
  const found = new Set<string>();
  const resolved = resolveReferences(kind.schema, message, path, (...reference) => {
    const target = find(...reference);
    if (target.kind === "found") found.add(target.name);
    return target;
  });
  return { resource, found: [...found], resolved };
}

/** An evaluation or example that was exported as invalid has dangling references. */
function mustBeOmitted({ resource, resolved }: Result): boolean {
  const isInvalid = "invalid" in resource.message && resource.message.invalid;
  return resolved.message === undefined || (isInvalid && resolved.dangling.length > 0);
}

function omitDependent({ resource, resolved }: Result, findings: Findings): OmittedResource {
  const { kind, displayNames, path } = resource;
  const reasons = [
    ...resolved.dropped.map(({ path: field, reference, kind: other }) => ({
      field: `${path}: ${field}`,
      description: `needs ${other.label} '${reference}'`,
    })),
    ...resolved.dangling.map(fault),
  ];
  return reportOmitted({ kind, displayNames, reasons }, findings);
}

function finish(
  parsed: ParsedPackage,
  results: readonly Result[],
  find: ReferenceLookup,
  findings: Findings,
): ResolvedPackage {
  const app = resolveReferences(AppSchema, parsed.app, parsed.appPath, find);
  report(app, parsed.appPath, findings);
  for (const { resource, resolved } of results) report(resolved, resource.path, findings);
  if (!app.message) findings.violations.push(omittedRoot(parsed));
  const resources = results.map(({ resource, resolved }) => ({
    ...resource,
    // `mustBeOmitted` is true for those without a message; the kind's schema has messages of the kind's type.
    message: (resolved.message ?? resource.message) as PackagedResource,
  }));
  return { app: app.message ?? parsed.app, resources, omitted: parsed.omitted };
}

/** The violation of an app whose root agent is omitted; the agent's own faults are told beside it. */
function omittedRoot({ app, appPath }: ParsedPackage): FieldViolation {
  return { field: `${appPath}: rootAgent`, description: `'${app.rootAgent}' cannot be imported.` };
}

function report(
  { dropped, dangling }: Pick<Resolved<DescMessage>, "dropped" | "dangling">,
  path: string,
  findings: Findings,
): void {
  findings.violations.push(...dangling);
  for (const { path: field, reference, kind } of dropped) {
    findings.warnings.push(`${path}: ${field}: the reference to ${kind.label} '${reference}' was removed with it.`);
  }
}

/**
 * Looks up references of a package: among its own resources first, then among those that stay in the app, then among the system
 * tools. A full resource name is looked up by its id.
 */
function createReferenceLookup(
  resources: readonly NamedResource[],
  omitted: readonly OmittedResource[],
  target: ImportTarget,
): ReferenceLookup {
  const known = new Map<string, string>();
  // Later entries replace earlier ones, so the resources with precedence come last.
  for (const { kind, displayName, name } of remainingResources(target)) known.set(key(kind, displayName), name);
  for (const { kind, displayNames, name } of resources)
    for (const other of displayNames.slice(1)) if (!isSystemToolName(other)) known.set(key(kind, other), name);
  for (const { kind, displayNames, name } of resources) known.set(key(kind, displayNames[0]), name);
  const names = new Set(known.values());
  const missing = new Set(omitted.flatMap(({ kind, displayNames }) => displayNames.map((name) => key(kind, name))));

  return (kind: Kind, reference: string): Target => {
    const name = known.get(key(kind, reference)) ?? byResourceName(kind, reference, target.app, names);
    if (name !== undefined) return { kind: "found", name };
    if (kind.part === "tools" && isSystemToolName(idOf(reference))) {
      return { kind: "found", name: `${target.app}/tools/${idOf(reference)}` };
    }
    return { kind: missing.has(key(kind, reference)) ? "omitted" : "missing" };
  };
}

function byResourceName(
  { part }: Kind,
  reference: string,
  app: string,
  names: ReadonlySet<string>,
): string | undefined {
  if (!reference.includes(`/${part}/`)) return undefined;
  const name = `${app}/${part}/${idOf(reference)}`;
  return names.has(name) ? name : undefined;
}

interface RemainingResource {
  readonly kind: Kind;
  readonly displayName: string;
  readonly name: string;
}

function remainingResources({ tree, overwrite }: ImportTarget): readonly RemainingResource[] {
  if (!tree) return [];
  return KINDS.filter(({ deletedByOverwrite }) => !(overwrite && deletedByOverwrite)).flatMap((kind) => {
    const existing: readonly PackagedResource[] = tree[kind.part];
    return existing.map(({ displayName, name }) => ({ kind, displayName, name }));
  });
}

function key({ part }: Kind, displayName: string): string {
  return `${part}/${displayName}`;
}
