import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import type { RestRule } from "../rest/http-rules.ts";
import { parsePathTemplate, type TemplateSegment } from "../rest/path-template.ts";
import { describedBy, isText, type JsonSchemas, textSchema } from "./json-schemas.ts";

/** A method as Discovery describes it, and the collections that it belongs to: `["projects", "locations", "apps"]`. */
export interface ApiMethod {
  readonly collections: readonly string[];
  readonly name: string;
  readonly description: JsonObject;
}

/** Describes a route. `api`: what the ids of methods begin with; `schemas` gets those of request and response. */
export function describeMethod(
  { httpMethod, template, route }: RestRule,
  { api, scopes, schemas }: { readonly api: string; readonly scopes: readonly string[]; readonly schemas: JsonSchemas },
): ApiMethod {
  const { input, output, name: rpc } = route.method.method;
  const { segments, variables } = parsePathTemplate(template);
  const { collections, name } = placeOf(httpMethod, template, rpc);
  const inPath = variables.map(({ fieldPath, start, end, multiSegment }) => ({
    // The API's own front end names a nested field by its last name (WIRE-3).
    name: jsonNameAt(input, fieldPath),
    parameter: pathParameter(segments.slice(start, end), multiSegment),
    field: fieldPath[0],
  }));
  const path = inPath.reduce(
    (text, { name: variable }) => text.replace(/\{[^+{}][^{}]*\}/, `{+${variable}}`),
    template.slice(1),
  );
  const bound = new Set([...inPath.map(({ field }) => field), route.body]);
  const free = route.body === "*" ? [] : input.fields.filter((field) => !bound.has(field.name));
  const sent = route.body === "*" ? input : input.fields.find((field) => field.name === route.body)?.message;
  return {
    collections,
    name,
    description: {
      id: [api, ...collections, name].join("."),
      path,
      flatPath: flatPath(segments, template),
      httpMethod,
      parameterOrder: inPath.map((variable) => variable.name),
      parameters: {
        ...Object.fromEntries(inPath.map((variable) => [variable.name, variable.parameter])),
        ...Object.fromEntries(queryParameters(free, "", [input])),
      },
      ...(sent && { request: schemas.reference(sent) }),
      response: schemas.reference(output),
      scopes: [...scopes],
    },
  };
}

/** Where generated clients have a method: by its path, a custom one by its verb, and otherwise by its name. */
function placeOf(httpMethod: string, template: string, rpc: string): Pick<ApiMethod, "collections" | "name"> {
  const { segments, verb } = parsePathTemplate(template);
  const [, ...collections] = segments.flatMap((segment) => (segment.kind === "literal" ? segment.text : []));
  if (verb !== "") return { collections, name: verb };
  if (segments.at(-1)?.kind !== "literal") {
    const last = segments.at(-2);
    return { collections, name: STANDARD[httpMethod] ?? last?.kind ?? rpc };
  }
  if (/^List[A-Z]/.test(rpc)) return { collections, name: "list" };
  if (/^Create[A-Z]/.test(rpc)) return { collections, name: "create" };
  return { collections: collections.slice(0, -1), name: rpc.charAt(0).toLowerCase() + rpc.slice(1) };
}

const STANDARD: Readonly<Record<string, string>> = { GET: "get", PATCH: "patch", PUT: "update", DELETE: "delete" };

function jsonNameAt(type: DescMessage, [first, ...rest]: readonly string[]): string {
  const field = type.fields.find(({ name }) => name === first);
  if (rest.length > 0 && field?.message) return jsonNameAt(field.message, rest);
  return field?.jsonName ?? first ?? "";
}

function pathParameter(segments: readonly TemplateSegment[], multiSegment: boolean): JsonObject {
  const pattern = segments.map((segment) => {
    if (segment.kind === "literal") return segment.text;
    return segment.kind === "any" ? "[^/]+" : ".*";
  });
  return {
    type: "string",
    location: "path",
    required: true,
    ...(multiSegment && { pattern: `^${pattern.join("/")}$` }),
  };
}

/** `v1/projects/{projectsId}/locations/{locationsId}/apps`. */
function flatPath(segments: readonly TemplateSegment[], template: string): string {
  const { verb } = parsePathTemplate(template);
  const parts = segments.map((segment, index) => {
    if (segment.kind === "literal") return segment.text;
    const before = segments[index - 1];
    return `{${before?.kind === "literal" ? before.text : "item"}Id}`;
  });
  return parts.join("/") + (verb && `:${verb}`);
}

/** The fields that the query sets, those of messages by their path. A query holds no lists of messages, no maps and no message within itself. */
function queryParameters(
  fields: readonly DescField[],
  prefix: string,
  within: readonly DescMessage[],
): (readonly [string, JsonObject])[] {
  return fields.flatMap((field): (readonly [string, JsonObject])[] => {
    const name = prefix + field.jsonName;
    if (field.fieldKind === "map") return [];
    if (!field.message || isText(field.message)) {
      const repeated = field.fieldKind === "list" && { repeated: true };
      return [[name, { ...describedBy(field), ...textSchema(field), location: "query", ...repeated }]];
    }
    if (field.fieldKind === "list" || within.includes(field.message)) return [];
    if (field.message.typeName.startsWith("google.protobuf.")) return [];
    return queryParameters(field.message.fields, `${name}.`, [...within, field.message]);
  });
}
