import type { FieldViolation } from "#status";

/** A segment of a pattern: a literal, or a variable. */
type PatternSegment = { readonly literal: string } | { readonly variable: string };

/** A parsed resource name pattern (AIP-122), e.g. `projects/{project}/locations/{location}/apps/{app}`. */
export interface NamePattern {
  readonly text: string;
  readonly segments: readonly PatternSegment[];
}

/** Values of a pattern's variables. */
type NameVariables = Readonly<Record<string, string>>;

/** The wildcard segment: any id in the parent of a list (AIP-159), and the draft in `versions/-`. */
export const WILDCARD = "-";

/** `projects/{project}/locations/{location}` of a name below it. */
export function locationOf(name: string): string {
  return name.split("/", 4).join("/");
}

/** Parses a pattern. Only whole segments can be variables: the served APIs use no others. */
export function parseNamePattern(text: string): NamePattern {
  const segments = text.split("/").map((segment) => {
    const variable = /^\{(\w+)\}$/.exec(segment)?.[1];
    return variable === undefined ? { literal: segment } : { variable };
  });
  return { text, segments };
}

/** The variables of a name that has this pattern; undefined when it does not match. A `-` segment matches like any other. */
export function matchName(pattern: NamePattern, name: string): NameVariables | undefined {
  // A name can have millions of segments: one too many is enough.
  const parts = name.split("/", pattern.segments.length + 1);
  if (parts.length !== pattern.segments.length) return undefined;
  const variables: Record<string, string> = {};
  for (const [index, segment] of pattern.segments.entries()) {
    const part = parts[index] ?? "";
    if ("literal" in segment) {
      if (segment.literal !== part) return undefined;
    } else if (part === "") return undefined;
    else variables[segment.variable] = part;
  }
  return variables;
}

/** Whether a name has the pattern. */
export function hasPattern(pattern: NamePattern, name: string): boolean {
  return matchName(pattern, name) !== undefined;
}

/** The name with these variables. Throws when one is missing: a programming error, not a client's. */
export function formatName(pattern: NamePattern, variables: NameVariables): string {
  const parts = pattern.segments.map((segment) => {
    if ("literal" in segment) return segment.literal;
    const value = variables[segment.variable];
    if (!value) throw new Error(`the pattern ${pattern.text} needs ${segment.variable}`);
    return value;
  });
  return parts.join("/");
}

/** The last segment: the resource id. */
export function idOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Whether the resource exists once per parent (AIP-156): its pattern ends in a literal. */
export function isSingleton(pattern: NamePattern): boolean {
  const last = pattern.segments.at(-1);
  return last !== undefined && "literal" in last;
}

/** The pattern of the parent: without collection and id, or without the last literal of a singleton. */
export function parentPattern(pattern: NamePattern): NamePattern {
  const segments = pattern.segments.slice(0, isSingleton(pattern) ? -1 : -2);
  const text = segments.map((segment) => ("literal" in segment ? segment.literal : `{${segment.variable}}`)).join("/");
  return { text, segments };
}

/** The collection identifier of a pattern, e.g. `agents`; the last literal of a singleton. */
export function collectionOf(pattern: NamePattern): string {
  const segment = pattern.segments.at(isSingleton(pattern) ? -1 : -2);
  return segment && "literal" in segment ? segment.literal : "";
}

/** The parent's name of a name that has the pattern. */
export function parentOf(pattern: NamePattern, name: string): string {
  return name
    .split("/")
    .slice(0, isSingleton(pattern) ? -1 : -2)
    .join("/");
}

/** Whether a name has a wildcard segment. */
export function hasWildcard(name: string): boolean {
  return name.split("/").includes(WILDCARD);
}

const ID = /^[a-zA-Z0-9][a-zA-Z0-9_-]{4,35}$/;

/**
 * The violations of a user-specified id of a new resource (AIP-133; the form is CES's own,
 * WIRE-4). Only for ids in create requests: imported apps have ids of other forms, which are kept.
 */
export function resourceIdViolations(field: string, id: string): readonly FieldViolation[] {
  if (ID.test(id)) return [];
  const description = `'${id}' is not a valid id: use 5 to 36 letters, digits, hyphens or underscores, starting with a letter or digit.`;
  return [{ field, description }];
}
