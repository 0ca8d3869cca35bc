import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FileSchema } from "../src/app/config.ts";
import { ModelsSectionSchema } from "../src/models/models-file-section.ts";
import { cell, code, paragraphs, type ReferencePage, table } from "./markdown.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "configuration.md"), "utf8");

/** A key of the configuration file: `quotas.limits[].per`, and what its value may be. */
interface ConfigurationKey {
  readonly key: string;
  readonly type: string;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Every key that a configuration file may have, from the schema that checks it. */
export function configurationKeys(): readonly ConfigurationKey[] {
  const sections = { ...FileSchema.shape, models: ModelsSectionSchema.optional() };
  return Object.entries(sections).flatMap(([name, schema]) =>
    keysBelow(name, z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema),
  );
}

/** A page for each section of the file; settings without a section are on one. */
export function configurationPages(): readonly ReferencePage[] {
  const keys = configurationKeys();
  const sections = Map.groupBy(keys, ({ key }) => sectionOf(key, keys));
  return [...sections].map(([section, own]) => ({
    path: `reference/configuration/${section}`,
    title: section,
    text: sectionPage(section, own),
  }));
}

function sectionOf(key: string, keys: readonly ConfigurationKey[]): string {
  const [first = ""] = key.split(/[.[]/);
  return keys.some((other) => other.key.startsWith(`${first}.`) || other.key.startsWith(`${first}[`))
    ? first
    : "server";
}

function sectionPage(section: string, keys: readonly ConfigurationKey[]): string {
  const own = section === "server" ? "Settings without a section" : `Section ${code(section)}`;
  return paragraphs(
    `# Configuration: ${section}`,
    `For operators. ${own} of the configuration file, from the schema that a start checks it by. A key that is not here is an error. What else sets a setting, and how the sections work together, is on [the page of the configuration](../../configuration.md).`,
    table(
      ["key", "value", "meaning"],
      keys.map(({ key, type }) => [code(key), cell(type), meaningOf(key)]),
    ),
  );
}

function keysBelow(key: string, schema: Schema): readonly ConfigurationKey[] {
  const options = schema.anyOf ?? schema.oneOf ?? [];
  const objects = [schema, ...options].filter(({ properties, additionalProperties }) => {
    return properties !== undefined || typeof additionalProperties === "object";
  });
  const below = objects.flatMap(({ properties = {}, additionalProperties }) => [
    ...Object.entries(properties).flatMap(([name, child]) => keysBelow(`${key}.${name}`, child)),
    ...(typeof additionalProperties === "object" ? keysBelow(`${key}.<name>`, additionalProperties) : []),
  ]);
  const items = schema.items ? keysBelow(`${key}[]`, schema.items).filter((one) => one.key !== `${key}[]`) : [];
  const own = { key, type: typeText(schema) };
  return [...new Map([own, ...below, ...items].map((one) => [one.key, one])).values()];
}

function typeText(schema: Schema): string {
  const { enum: values, const: only, anyOf, oneOf, items, type, additionalProperties } = schema;
  if (values) return values.map((value) => code(String(value))).join(", ");
  if (only !== undefined) return code(String(only));
  const options = anyOf ?? oneOf;
  if (options) return [...new Set(options.map(typeText))].join(" or ");
  if (type === "array") return `list of ${items ? typeText(items) : "values"}`;
  if (type === "object") return typeof additionalProperties === "object" ? "section by name" : "section";
  return `${schema.format === "uri" ? "address" : (type ?? "any value")}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: Schema): string {
  const low = minimum ?? exclusiveMinimum;
  const isLow = low !== undefined && low > Number.MIN_SAFE_INTEGER;
  const isHigh = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (isLow && isHigh) return ` from ${low} to ${maximum}`;
  if (isLow) return exclusiveMinimum === undefined ? ` from ${low}` : ` above ${low}`;
  return isHigh ? ` up to ${maximum}` : "";
}

/** What the tables of docs/configuration.md say of a key, with its default. */
function meaningOf(key: string): string {
  const names = [key, key.replace(/^\w+\./, "")].map((name) => `\`${name}\``);
  const row = PAGE.split("\n").find((line) => line.startsWith("|") && names.some((name) => line.includes(name)));
  const cells = row?.split("|").slice(1, -1) ?? [];
  const meaning = cells.at(-1)?.trim() ?? "";
  const fallback = cells.at(-2)?.trim() ?? "";
  const rebased = meaning.replace(/\]\((?!https?:)([^)]+)\)/g, (_, target: string) =>
    target.startsWith("#") ? `](../../configuration.md${target})` : `](../../${target})`,
  );
  return fallback === "" || fallback === "none" ? rebased : `${rebased} (default: ${fallback})`;
}
