import { z } from "zod";
import { FileSchema } from "../src/app/config/config-file.ts";
import { ModelsSectionSchema } from "../src/models/models-file-section.ts";
import { type KeyRow, keyRows } from "./configuration-table.ts";
import { TEXTS } from "./configuration-texts.ts";
import { cell, code, paragraphs, type ReferencePage, table } from "./markdown.ts";

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

/** What each key means, as Markdown with links as in docs/configuration.md, and its default; empty for a key of which nothing is known. */
export function configurationMeanings(): ReadonlyMap<string, KeyRow> {
  const known = configurationKeys().map(({ key }) => key);
  const rows = keyRows(new Set(known));
  return new Map(
    known.map((key) => {
      const { meaning = "", fallback = "" } = rows.get(key) ?? {};
      const text = TEXTS[key] ?? meaning;
      return [key, typeof text === "string" ? { meaning: text, fallback } : { meaning: text[0], fallback: text[1] }];
    }),
  );
}

/** A page for each section of the file; settings without a section are on one. */
export function configurationPages(): readonly ReferencePage[] {
  const keys = configurationKeys();
  const meanings = configurationMeanings();
  const sections = Map.groupBy(keys, ({ key }) => sectionOf(key, keys));
  return [...sections].map(([section, own]) => ({
    path: `reference/configuration/${section}`,
    title: section,
    text: sectionPage(section, own, meanings),
  }));
}

function sectionOf(key: string, keys: readonly ConfigurationKey[]): string {
  const [first = ""] = key.split(/[.[]/);
  return keys.some((other) => other.key.startsWith(`${first}.`) || other.key.startsWith(`${first}[`))
    ? first
    : "server";
}

function sectionPage(
  section: string,
  keys: readonly ConfigurationKey[],
  meanings: ReadonlyMap<string, KeyRow>,
): string {
  const own = section === "server" ? "Settings without a section" : `Section ${code(section)}`;
  return paragraphs(
    `# Configuration: ${section}`,
    `For operators. ${own} of the configuration file, from the schema that a start checks it by. A key that is not here is an error. What else sets a setting, and how the sections work together, is on [the page of the configuration](../../configuration.md).`,
    table(
      ["key", "value", "meaning"],
      keys.map(({ key, type }) => [code(key), cell(type), shownMeaning(meanings.get(key))]),
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
  return [...Map.groupBy([own, ...below, ...items], (one) => one.key)].map(([name, variants]) => ({
    key: name,
    type: eitherOf(variants.map(({ type }) => type)),
  }));
}

/** What the variants of a section allow for the same key. */
function eitherOf(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.join(different.every((type) => type.startsWith("`")) ? ", " : " or ");
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

function shownMeaning(row: KeyRow | undefined): string {
  const { meaning = "", fallback = "" } = row ?? {};
  const rebased = meaning.replace(/\]\((?!https?:)([^)]+)\)/g, (_, target: string) =>
    target.startsWith("#") ? `](../../configuration.md${target})` : `](../../${target})`,
  );
  return fallback === "" ? rebased : `${rebased} (default: ${fallback})`;
}
