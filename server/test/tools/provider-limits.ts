import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ToolDeclaration } from "#tools";

/** What a provider publishes of the functions that it takes. */
export interface ProviderLimits {
  readonly name: RegExp;
  readonly longestDescription: number;
  readonly property: RegExp;
  readonly deepest: number;
  readonly mostProperties: number;
  readonly mostEnumValues: number;
  /** Names, values and descriptions of one schema together, characters. */
  readonly mostText: number;
  readonly keywords: ReadonlySet<string>;
}

const COMMON = [
  ...["type", "title", "description", "properties", "required", "items", "enum", "anyOf", "additionalProperties"],
  ...["minimum", "maximum", "minItems", "maxItems", "prefixItems", "default"],
];

/** The published limits as of November 2026; where a page gives none, the strictest of the others. */
export const PROVIDER_LIMITS: Readonly<Record<string, ProviderLimits>> = {
  gemini: {
    name: /^[A-Za-z_][\w.:-]{0,63}$/,
    longestDescription: 100_000,
    property: /^[^\0]{1,64}$/,
    deepest: 10,
    mostProperties: 5_000,
    mostEnumValues: 1_000,
    mostText: 120_000,
    keywords: new Set([...COMMON, "$ref", "$defs", "format", "oneOf", "uniqueItems"]),
  },
  openai: {
    name: /^[\w-]{1,64}$/,
    longestDescription: 1_024,
    property: /^[^\0]{1,256}$/,
    deepest: 10,
    mostProperties: 5_000,
    mostEnumValues: 1_000,
    mostText: 120_000,
    keywords: new Set([...COMMON, "$ref", "$defs", "format", "pattern", "uniqueItems"]),
  },
  anthropic: {
    name: /^[\w-]{1,64}$/,
    longestDescription: 10_000,
    property: /^[\w.-]{1,64}$/,
    deepest: 10,
    mostProperties: 5_000,
    mostEnumValues: 1_000,
    mostText: 120_000,
    keywords: new Set([...COMMON, "$ref", "$defs", "format", "pattern", "uniqueItems", "const"]),
  },
};

/** Everything in a declaration that exceeds a provider's limits. */
export function violations(
  { name, description, parameters }: ToolDeclaration,
  limits: ProviderLimits,
): readonly string[] {
  const found: string[] = [];
  const counts = { properties: 0, values: 0, text: 0 };
  if (!limits.name.test(name)) found.push(`name '${name}'`);
  if (description === "") found.push("no description");
  if (description.length > limits.longestDescription) found.push(`description of ${description.length}`);
  if (parameters.type !== "object" || !isJsonObject(parameters.properties)) found.push("no object at the root");
  for (const key of ["anyOf", "oneOf", "allOf", "enum", "not"]) if (key in parameters) found.push(`${key} at the root`);
  walk(parameters, 1);
  if (counts.properties > limits.mostProperties) found.push(`${counts.properties} properties`);
  if (counts.values > limits.mostEnumValues) found.push(`${counts.values} enum values`);
  if (counts.text > limits.mostText) found.push(`${counts.text} characters`);
  return [...new Set(found)];

  function walk(schema: JsonValue | undefined, depth: number): void {
    if (!isJsonObject(schema)) return;
    if (depth > limits.deepest) found.push(`deeper than ${limits.deepest}`);
    for (const key of Object.keys(schema)) if (!limits.keywords.has(key)) found.push(`keyword ${key}`);
    for (const value of listOf(schema.enum)) {
      counts.values += 1;
      counts.text += String(value).length;
    }
    for (const [property, inner] of Object.entries(objectOf(schema.properties))) {
      counts.properties += 1;
      counts.text += property.length;
      if (!limits.property.test(property)) found.push(`property '${property}'`);
      walk(inner, depth + 1);
    }
    const declared = Object.keys(objectOf(schema.properties));
    const undeclared = listOf(schema.required).filter((each) => !declared.includes(String(each)));
    if (undeclared.length > 0) found.push(`required without property: ${undeclared.join(", ")}`);
    if (schema.type === "array" && schema.items === undefined && schema.prefixItems === undefined)
      found.push("array without items");
    walk(schema.items, depth + 1);
    walk(schema.additionalProperties, depth + 1);
    for (const member of [...listOf(schema.anyOf), ...listOf(schema.prefixItems)]) walk(member, depth);
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
