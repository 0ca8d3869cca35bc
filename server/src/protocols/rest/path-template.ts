/** One segment of a URL path: a literal, `*` (exactly one segment) or `**` (the rest, at least one). */
export type TemplateSegment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "rest" };

/** A part of the path that becomes a field: the segments from `start` up to `end` (undefined: to the end). */
export interface TemplateVariable {
  /** Proto field names, e.g. `["config", "session"]`. */
  readonly fieldPath: readonly string[];
  readonly start: number;
  readonly end: number | undefined;
  /** Several segments keep `%2F` escaped, or a slash inside an id would become a separator (google/api/http.proto). */
  readonly multiSegment: boolean;
}

/** A parsed `/v1beta/{name=projects/*}/apps:importApp`. */
interface PathTemplate {
  readonly segments: readonly TemplateSegment[];
  readonly variables: readonly TemplateVariable[];
  /** Custom verb without its colon; "" for none. */
  readonly verb: string;
}

/** Parses a path template in the syntax of google/api/http.proto. Throws on anything else, which would be a fault of the definitions. */
export function parsePathTemplate(template: string): PathTemplate {
  const [, path = "", verb = ""] = /^\/(.*?)(?::([A-Za-z][\w-]*))?$/.exec(template) ?? [];
  const segments: TemplateSegment[] = [];
  const variables: TemplateVariable[] = [];
  for (const part of splitOutsideBraces(path)) {
    const variable = /^\{([\w.]+)(?:=([^{}]+))?\}$/.exec(part);
    const inner = (variable ? (variable[2] ?? "*") : part).split("/").map(segmentOf);
    if (variable?.[1]) variables.push(variableOf(variable[1], inner, segments.length));
    segments.push(...inner);
  }
  const rest = segments.findIndex((segment) => segment.kind === "rest");
  if (path === "" || (rest >= 0 && rest !== segments.length - 1))
    throw new Error(`'${template}' is not a path template`);
  return { segments, variables, verb };
}

function splitOutsideBraces(path: string): string[] {
  return path.match(/\{[^{}]*\}|[^/{}]+/g) ?? [];
}

function segmentOf(text: string): TemplateSegment {
  if (text === "*") return { kind: "any" };
  if (text === "**") return { kind: "rest" };
  return { kind: "literal", text };
}

function variableOf(field: string, segments: readonly TemplateSegment[], start: number): TemplateVariable {
  const open = segments.at(-1)?.kind === "rest";
  return {
    fieldPath: field.split("."),
    start,
    end: open ? undefined : start + segments.length,
    multiSegment: open || segments.length > 1,
  };
}
