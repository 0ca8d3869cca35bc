import type { DescField } from "@bufbuild/protobuf";
import { hasMoreValues, MAX_VALUES, missingRequired, type RequiredCheck, withoutOutputOnly } from "#aip";
import { createPauses } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { ResourceStore } from "#storage";
import type { AppState } from "../app-state.ts";
import type { ResourceDefinition } from "../define-resource.ts";
import { isDraftVersion } from "../definitions/deployment.ts";
import { type Reference, referencesIn } from "../references.ts";
import type { Resource } from "../resource.ts";
import { appOf } from "../resource-names.ts";
import { isSystemTool } from "../system-tools.ts";
import type { Change } from "./plan.ts";

/** Whether REQUIRED fields of nested messages are checked: real exports lack some (PKG-18). */
export type RequiredPolicy = "all" | "own";

/**
 * Throws INVALID_ARGUMENT with all violations of a plan's changes, checked in the state after them: required fields, dangling references,
 * duplicate display names, and each type's own rules.
 */
export async function checkChanges(
  changes: readonly Change[],
  next: AppState,
  store: ResourceStore,
  required: RequiredPolicy,
): Promise<void> {
  const lookup = await lookupOutside(changes, next, store);
  const named = byDisplayName(next, new Set(changes.map(({ definition }) => definition)));
  const pause = createPauses();
  const violations: FieldViolation[] = [];
  for (const change of changes) {
    for (const check of checksOf(change, next, lookup, named, required)) {
      for (const violation of check()) violations.push(violation);
      await pause();
    }
  }
  if (violations.length > 0) throw invalidArgument(violations);
}

/** The checks of a change, each for its violations: other calls run between them. */
function checksOf(
  change: Change,
  next: AppState,
  lookup: ReadonlySet<string>,
  named: ResourcesByDisplayName,
  required: RequiredPolicy,
): readonly (() => readonly FieldViolation[])[] {
  const { after, definition, fieldPrefix } = change;
  if (!after || change.isDependent) return [];
  const inside = [
    () => requiredViolations(change, after, required),
    () => referenceViolations(change, after, next, lookup),
    () => (definition.rules.uniqueDisplayName ? displayNameViolations(change, after, named) : []),
    () => definition.rules.validate?.(after, next) ?? [],
  ].map((check) => () => check().map(({ field, description }) => ({ field: `${fieldPrefix}${field}`, description })));
  return [() => change.requestViolations ?? [], () => sizeViolations(change, after), ...inside];
}

/**
 * Many updates, each of another field, could make a resource that no message can hold and that takes all others' time (WIRE-23). What only the
 * server sets does not count.
 */
function sizeViolations({ definition: { desc }, fieldPrefix }: Change, after: Resource): readonly FieldViolation[] {
  if (!hasMoreValues(after, MAX_VALUES) || !hasMoreValues(withoutOutputOnly(desc, after), MAX_VALUES)) return [];
  const description = `The resource would have more than ${MAX_VALUES} values. Divide it, or make another field smaller first.`;
  return [{ field: fieldPrefix.replace(/\.$/, ""), description }];
}

/**
 * Required fields that this change leaves out. What was missing before stays missing: imports accept it, and then other fields must be
 * writable and versions possible. What only the server sets, a version's snapshot above all, is not the client's to complete.
 */
function requiredViolations(
  { definition: { desc }, before }: Change,
  after: Resource,
  required: RequiredPolicy,
): readonly FieldViolation[] {
  const check = REQUIRED_CHECKS[required];
  const missing = missingRequired(desc, withoutOutputOnly(desc, after), check);
  if (missing.length === 0 || !before) return missing;
  const known = new Set(missingRequired(desc, before.resource, check).map(({ field }) => field));
  return missing.filter(({ field }) => !known.has(field));
}

/** Fields marked REQUIRED that real apps omit, or whose zero value has a documented meaning (PKG-18, proto comments). */
const OFTEN_MISSING: ReadonlySet<string> = new Set([
  "Schema.type",
  "TriggerAction.GenerativeAnswer.prompt",
  "DataStoreTool.EngineSource.engine",
  "App.VariableDeclaration.description",
  "Evaluation.ScenarioExpectation.ToolExpectation.mock_tool_response",
  "Guardrail.ContentFilter.match_type",
  "Guardrail.LlmPolicy.policy_scope",
  "ToolResponse.response",
]);

/** Lists too: an empty list is the same as a missing one, and valid everywhere. */
function isOftenMissing(field: DescField): boolean {
  const owner = field.parent.typeName.replace(/^google\.cloud\.ces\.v1beta\./, "");
  return field.fieldKind === "list" || OFTEN_MISSING.has(`${owner}.${field.name}`);
}

const REQUIRED_CHECKS: Readonly<Record<RequiredPolicy, RequiredCheck>> = {
  all: { enters: () => true, exempt: isOftenMissing },
  own: { exempt: isOftenMissing },
};

/** The referenced names that exist below the app but are not in its state (versions, runs). */
async function lookupOutside(
  changes: readonly Change[],
  next: AppState,
  store: ResourceStore,
): Promise<ReadonlySet<string>> {
  const pause = createPauses();
  const outside = new Set<string>();
  for (const { definition, after } of changes) {
    for (const { name } of after ? referencesIn(definition.desc, after) : [])
      if (!next.entries.has(name) && appOf(name) === next.name) outside.add(name);
    await pause();
  }
  return outside.size === 0 ? outside : new Set((await store.getMany([...outside])).keys());
}

function referenceViolations(
  change: Change,
  after: Resource,
  next: AppState,
  outside: ReadonlySet<string>,
): readonly FieldViolation[] {
  const { definition, before, isKnownInvalid } = change;
  // References that dangle already may stay: examples and evaluations outlive the resources that they recorded.
  const known = new Set(before ? referencesIn(definition.desc, before.resource).map(({ name }) => name) : []);
  return referencesIn(definition.desc, after)
    .filter(({ name }) => !(definition.rules.keepsRecordedReferences && (isKnownInvalid || known.has(name))))
    .flatMap((reference) => {
      const description = referenceProblem(reference, next, outside);
      return description === undefined ? [] : [{ field: reference.path, description }];
    });
}

function referenceProblem({ type, name }: Reference, next: AppState, outside: ReadonlySet<string>): string | undefined {
  if (appOf(name) !== next.name) {
    return `Reference '${name}' of type '${type}' not found: it must be a resource name in this app (${next.name}/…).`;
  }
  const entry = next.entries.get(name);
  if (entry?.definition.type.type === type || isDraftVersion(type, name)) return undefined;
  if (type === TOOL && isSystemTool(next.name, name)) return undefined;
  // The name is in the app's own tree, so the stored resource has the type of its collection.
  if (!entry && outside.has(name)) return undefined;
  return `Reference '${name}' of type '${type}' not found.`;
}

const TOOL = "ces.googleapis.com/Tool";

function displayNameViolations(
  { definition, name }: Change,
  { displayName = "" }: Resource,
  named: ResourcesByDisplayName,
): readonly FieldViolation[] {
  if (displayName === "") return [];
  const other = named
    .get(definition)
    ?.get(displayName)
    ?.find((each) => each !== name);
  if (other === undefined) return [];
  const description = `'${displayName}' is already the display name of ${other}; packages and instructions refer to resources by display name.`;
  return [{ field: "display_name", description }];
}

/** Resource names by kind, of the kinds that change, and display name. */
type ResourcesByDisplayName = ReadonlyMap<ResourceDefinition, ReadonlyMap<string, readonly string[]>>;

function byDisplayName({ entries }: AppState, wanted: ReadonlySet<ResourceDefinition>): ResourcesByDisplayName {
  const found = new Map<ResourceDefinition, Map<string, string[]>>();
  for (const { definition, resource } of entries.values()) {
    if (!definition.rules.uniqueDisplayName || !wanted.has(definition)) continue;
    const ofKind = found.get(definition) ?? new Map<string, string[]>();
    found.set(definition, ofKind);
    const { displayName = "" } = resource;
    const names = ofKind.get(displayName);
    // Two tell a resource from any other of its name.
    if (!names) ofKind.set(displayName, [resource.name]);
    else if (names.length < 2) names.push(resource.name);
  }
  return found;
}
