import { hasPattern, hasWildcard, parentOf, parentPattern } from "#aip";
import { invalidArgument } from "#status";
import type { ResourceDefinition } from "./define-resource.ts";

/** Refuses what is no name of this type. `field` is the request's, for the violation. */
export function checkName(definition: ResourceDefinition, name: string, field: string): void {
  const [pattern] = definition.type.patterns;
  if (hasPattern(pattern, name) && !hasWildcard(name)) return;
  const description = name === "" ? "This field is required." : `'${name}' is not a name of the form ${pattern.text}.`;
  throw invalidArgument({ field, description });
}

/** Refuses what cannot be a parent of this type. */
export function checkParent(
  definition: ResourceDefinition,
  parent: string,
  options: { readonly wildcards: boolean },
): void {
  const pattern = parentPattern(definition.type.patterns[0]);
  if (hasPattern(pattern, parent) && (options.wildcards || !hasWildcard(parent))) return;
  const description =
    parent === "" ? "This field is required." : `'${parent}' is not a name of the form ${pattern.text}.`;
  throw invalidArgument({ field: "parent", description });
}

/** The parent of a resource of this type. */
export function parentNameOf(definition: ResourceDefinition, name: string): string {
  return parentOf(definition.type.patterns[0], name);
}
