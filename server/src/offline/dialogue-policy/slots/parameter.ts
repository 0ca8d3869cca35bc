import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { FunctionDeclaration, JsonSchema } from "#models";
import { findEntities } from "./entities.ts";

/** The strategy by which a value is extracted from a text. */
type ParameterKind =
  | "enum"
  | "boolean"
  | "number"
  | "date"
  | "email"
  | "phone"
  | "identifier"
  /** The user's whole text: a search query, a request for another agent. */
  | "utterance"
  /** A proper name: of a person, a place, a product. */
  | "name"
  | "text"
  | "list"
  | "object";

/** One parameter of a function, read from its JSON Schema. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly schema: JsonSchema;
  readonly description: string;
  readonly required: boolean;
  /** Punctuation-free patterns of example values in the description: `A-1001` gives `L9`. */
  readonly shapes: ReadonlySet<string>;
}

/** The parameters of a function, in the order of the schema. */
export function parametersOf(declaration: FunctionDeclaration): readonly Parameter[] {
  return propertiesOf(declaration.parameters);
}

/** The properties of an object schema as parameters; none when it has no properties. */
export function propertiesOf(schema: JsonSchema): readonly Parameter[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, property]) => {
    const resolved = isJsonObject(property) ? withoutNull(property) : {};
    const description = typeof resolved.description === "string" ? resolved.description : "";
    const examples = /\d/.test(description) ? findEntities(description).filter((found) => /\d/.test(found.value)) : [];
    return {
      name,
      kind: kindOf(name, resolved, description),
      schema: resolved,
      description,
      required: required.includes(name),
      shapes: new Set(examples.map((example) => shapeOf(example.value))),
    };
  });
}

/** The pattern of a written value without its punctuation: letters become `L`, digits `9`, runs one character. */
export function shapeOf(value: string): string {
  return value
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/\p{L}+/gu, "L")
    .replace(/\p{N}+/gu, "9");
}

/** The values an enum schema allows; integer enums may be written as texts. */
export function enumValues(schema: JsonSchema): readonly JsonValue[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.const === undefined ? [] : [schema.const];
}

/** `{anyOf: [X, null]}` and `{type: [X, "null"]}` are X here: no question asks for null. */
function withoutNull(schema: JsonObject): JsonObject {
  const options = schema.anyOf ?? schema.oneOf;
  const chosen = Array.isArray(options)
    ? options.find((option) => isJsonObject(option) && option.type !== "null")
    : undefined;
  return isJsonObject(chosen) ? { ...schema, ...chosen } : schema;
}

/** The type of a schema in lower case; the first one that is not null where there are several. */
export function typeOf(schema: JsonSchema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((entry) => entry !== "null") : schema.type;
  return typeof type === "string" ? type.toLowerCase() : "string";
}

/** Kinds described by the last words of a name, first match wins; the description is only used where no name matches. */
const KINDS_BY_NAME: readonly (readonly [ParameterKind, RegExp])[] = [
  ["email", /(?:^|_)e_?mail(?:_address)?$/],
  ["phone", /(?:^|_)(?:phone|mobile|telephone|cell)(?:_number)?$/],
  [
    "identifier",
    /(?:^|_)(?:ids?|numbers?|no|codes?|ref|references?|key|sku|tracking|serial|vin|zip|plate|account|order|ticket|booking|reservation)$/,
  ],
  ["date", /(?:^|_)(?:date|day|when)$/],
  [
    "utterance",
    /(?:^|_)(?:query|question|request|message|prompt|search|utterance|input|user_text|search_terms?|keywords?)$/,
  ],
  [
    "name",
    /(?:^|_)(?:name|city|town|country|location|place|destination|origin|airport|station|state|region|product|item|brand|title)$/,
  ],
];

function kindOf(name: string, schema: JsonSchema, description: string): ParameterKind {
  if (enumValues(schema).length > 0) return "enum";
  const type = typeOf(schema);
  if (type === "boolean" || type === "object") return type;
  if (type === "number" || type === "integer") return "number";
  if (type === "array") return "list";
  if (schema.format === "date" || schema.format === "date-time") return "date";
  if (schema.format === "email") return "email";
  const plainName = name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const byName = KINDS_BY_NAME.find(([, pattern]) => pattern.test(plainName))?.[0];
  return byName ?? kindByDescription(description);
}

function kindByDescription(description: string): ParameterKind {
  if (/\b(?:e-?mail address)\b/i.test(description)) return "email";
  if (/\bphone number\b/i.test(description)) return "phone";
  if (/\b(?:identifier|order number|customer number|tracking number|reference number)\b/i.test(description))
    return "identifier";
  if (/\b(?:YYYY-MM-DD|ISO 8601)\b/.test(description)) return "date";
  if (/\b(?:user's|customer's) (?:question|request|query|message)\b/i.test(description)) return "utterance";
  return "text";
}
