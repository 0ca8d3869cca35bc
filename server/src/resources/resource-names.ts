import { AppSchema } from "@frontdesk/protos/ces/app";
import { hasPattern, hasWildcard, parentOf, parentPattern, resourceTypeOf } from "#aip";
import { invalidArgument } from "#status";
import type { ResourceDefinition } from "./define-resource.ts";

/** Segments of `projects/{project}/locations/{location}/apps/{app}`. */
const APP_SEGMENTS = 6;

/** The app of a resource name, which can be the name itself; undefined for names outside apps. */
export function appOf(name: string): string | undefined {
  const app = name.split("/", APP_SEGMENTS).join("/");
  return resourceTypeOf(AppSchema)?.patterns.some((pattern) => hasPattern(pattern, app)) ? app : undefined;
}

/** Throws INVALID_ARGUMENT for a name that is not of this type. `field` is the request's. */
export function checkName(definition: ResourceDefinition, name: string, field: string): void {
  const [pattern] = definition.type.patterns;
  if (hasPattern(pattern, name) && !hasWildcard(name)) return;
  const description =
    name === "" ? "Required field is not set." : `'${name}' is not a name of the form ${pattern.text}.`;
  throw invalidArgument({ field, description });
}

/** Throws INVALID_ARGUMENT for a parent that is not of this type. */
export function checkParent(
  definition: ResourceDefinition,
  parent: string,
  options: { readonly wildcards: boolean },
): void {
  const pattern = parentPattern(definition.type.patterns[0]);
  if (hasPattern(pattern, parent) && (options.wildcards || !hasWildcard(parent))) return;
  const description =
    parent === "" ? "Required field is not set." : `'${parent}' is not a name of the form ${pattern.text}.`;
  throw invalidArgument({ field: "parent", description });
}

/** The parent of a resource of this type. */
export function parentNameOf(definition: ResourceDefinition, name: string): string {
  return parentOf(definition.type.patterns[0], name);
}
