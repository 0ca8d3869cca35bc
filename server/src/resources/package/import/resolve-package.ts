import type { DescMessage } from "@bufbuild/protobuf";
import type { App } from "@frontdesk/protos/ces/app";
import { AppSchema } from "@frontdesk/protos/ces/app";
import type { FieldViolation } from "#status";
import type { Findings } from "../findings.ts";
import type { PackagedResource } from "../kinds.ts";
import { type FindTarget, type Resolved, resolveReferences } from "../references/resolve-references.ts";
import type { Before, NamedResource } from "./assign-names.ts";
import { createFindTarget } from "./find-target.ts";
import { leaveOut } from "./leave-out.ts";
import type { LeftOut, ParsedPackage } from "./parsed-package.ts";

/** A package with resource names in all references. */
export interface ResolvedPackage {
  readonly app: App;
  readonly resources: readonly NamedResource[];
}

/**
 * Resolves all references of a package. A reference to nothing is a violation; one to a resource that was left out goes
 * with it, or takes along the resource that cannot do without it, and so on until nothing more has to go.
 */
export function resolvePackage(
  parsed: ParsedPackage,
  named: readonly NamedResource[],
  before: Before,
  findings: Findings,
): ResolvedPackage {
  let { leftOut } = parsed;
  let remaining = named;
  for (;;) {
    const find = createFindTarget(remaining, leftOut, before);
    const results = remaining.map((resource) => resolveOne(resource, find));
    const gone = results.filter(hasToGo);
    if (gone.length === 0) return finish({ ...parsed, leftOut }, results, find, findings);
    leftOut = [...leftOut, ...gone.map((result) => takeAlong(result, findings))];
    remaining = results.filter((result) => !hasToGo(result)).map(({ resource }) => resource);
  }
}

interface Result {
  readonly resource: NamedResource;
  readonly resolved: Resolved<DescMessage>;
}

function resolveOne(resource: NamedResource, find: FindTarget): Result {
  const { kind, message, path } = resource;
  return { resource, resolved: resolveReferences(kind.schema, message, path, find) };
}

/** An evaluation or example that was exported as invalid refers to nothing by its nature. */
function hasToGo({ resource, resolved }: Result): boolean {
  const isInvalid = "invalid" in resource.message && resource.message.invalid;
  return resolved.message === undefined || (isInvalid && resolved.dangling.length > 0);
}

function takeAlong({ resource, resolved }: Result, findings: Findings): LeftOut {
  const { kind, displayNames, path } = resource;
  const reasons = [
    ...resolved.dropped.map(
      ({ path: field, reference, kind: other }) => `${path}: ${field}: needs ${other.label} '${reference}'`,
    ),
    ...resolved.dangling.map(({ field, description }) => `${field}: ${description.replace(/\.$/, "")}`),
  ];
  return leaveOut({ kind, displayNames, reasons }, findings);
}

function finish(
  parsed: ParsedPackage,
  results: readonly Result[],
  find: FindTarget,
  findings: Findings,
): ResolvedPackage {
  const app = resolveReferences(AppSchema, parsed.app, parsed.appPath, find);
  report(app, parsed.appPath, findings);
  for (const { resource, resolved } of results) report(resolved, resource.path, findings);
  if (!app.message) findings.violations.push(rootLeftOut(parsed));
  const resources = results.map(({ resource, resolved }) => ({
    ...resource,
    // `hasToGo` kept back those without a message; the kind's schema makes messages of the kind's type.
    message: (resolved.message ?? resource.message) as PackagedResource,
  }));
  return { app: app.message ?? parsed.app, resources };
}

/** The one reference that the app cannot do without. */
function rootLeftOut({ app, appPath, leftOut }: ParsedPackage): FieldViolation {
  const root = leftOut.find(({ kind, displayNames }) => kind.part === "agents" && displayNames.includes(app.rootAgent));
  const reasons = root?.reasons.join("; ") ?? "";
  return { field: `${appPath}: rootAgent`, description: `'${app.rootAgent}' cannot be imported: ${reasons}.` };
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
