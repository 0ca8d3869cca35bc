import { parse } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** A table in a YAML system instruction (CA-16). */
export interface TableMetadata {
  readonly name: string;
  readonly description: string;
  readonly synonyms: readonly string[];
  readonly tags: readonly string[];
  readonly fields: readonly FieldMetadata[];
  readonly measures: readonly {
    readonly name: string;
    readonly expression: string;
    readonly synonyms: readonly string[];
  }[];
  readonly goldenQueries: readonly { readonly question: string; readonly sql: string }[];
}

interface FieldMetadata {
  readonly name: string;
  readonly description: string;
  readonly synonyms: readonly string[];
  readonly tags: readonly string[];
}

/** A system instruction in YAML. Unknown parts are ignored here and stay in the text. */
export interface YamlInstruction {
  readonly tables: readonly TableMetadata[];
  readonly relationships: readonly {
    readonly left: string;
    readonly right: string;
    readonly pairs: readonly (readonly [string, string])[];
  }[];
  readonly glossary: readonly { readonly term: string; readonly meaning: string }[];
  /** Questions with Looker queries, as written. */
  readonly lookerGolden: readonly { readonly question: string; readonly query: JsonObject }[];
}

const NOTHING: YamlInstruction = { tables: [], relationships: [], glossary: [], lookerGolden: [] };

/** Parses the instruction as YAML; empty for plain prose. */
export function parseYamlInstruction(instruction: string): YamlInstruction {
  const sections = sectionsOf(instruction);
  if (!sections) return NOTHING;
  return {
    tables: itemsOf(sections.tables, "table").map(toTable),
    relationships: itemsOf(sections.relationships, "relationship").map(toRelationship),
    glossary: itemsOf(sections.glossaries ?? sections.glossary, "glossary").map((entry) => ({
      term: textOf(entry.term ?? entry.display_name),
      meaning: textOf(entry.description),
    })),
    lookerGolden: [sections, ...itemsOf(sections.tables, "table")].flatMap(toLookerGolden),
  };
}

/** Golden queries are inside a table or at the top; the query field is `looker_query` or `query`. */
function toLookerGolden({ golden_queries: golden }: JsonObject): YamlInstruction["lookerGolden"] {
  return itemsOf(golden, "golden_query").flatMap((entry) => {
    const query = entry.looker_query ?? entry.query;
    const { natural_language_query: one, natural_language_queries: several } = entry;
    if (query === undefined || !isJsonObject(query)) return [];
    const questions = Array.isArray(several) ? several : [one ?? several ?? ""];
    return questions
      .map(textOf)
      .filter((question) => question !== "")
      .map((question) => ({ question, query }));
  });
}

/** The document is a list of one-key maps, or one map. */
function sectionsOf(instruction: string): JsonObject | undefined {
  let document: JsonValue;
  try {
    document = parse(instruction) as JsonValue;
  } catch {
    return undefined; // Prose with a colon in it is not YAML, and does not have to be.
  }
  if (isJsonObject(document)) return document;
  if (!Array.isArray(document)) return undefined;
  return Object.assign({}, ...document.filter(isJsonObject)) as JsonObject;
}

/** Entries come as `- table: {…}`, as `- {…}`, or as one map. */
function itemsOf(value: JsonValue | undefined, key: string): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.filter(isJsonObject).map((entry) => {
    const inner = entry[key];
    return inner !== undefined && isJsonObject(inner) ? inner : entry;
  });
}

function toTable(entry: JsonObject): TableMetadata {
  return {
    name: textOf(entry.name),
    description: textOf(entry.description),
    synonyms: listOf(entry.synonyms),
    tags: listOf(entry.tags),
    fields: itemsOf(entry.fields, "field").map((field) => ({
      name: textOf(field.name),
      description: textOf(field.description),
      synonyms: listOf(field.synonyms),
      tags: listOf(field.tags),
    })),
    measures: itemsOf(entry.measures, "measure").map((measure) => ({
      name: textOf(measure.name),
      expression: textOf(measure.exp ?? measure.expression),
      synonyms: listOf(measure.synonyms),
    })),
    goldenQueries: itemsOf(entry.golden_queries, "golden_query").map((golden) => ({
      question: textOf(golden.natural_language_query),
      sql: textOf(golden.sql_query),
    })),
  };
}

function toRelationship(entry: JsonObject): YamlInstruction["relationships"][number] {
  const pairs = itemsOf(entry.relationship_columns, "columns").map((pair): readonly [string, string] => [
    textOf(pair.left_column),
    textOf(pair.right_column),
  ]);
  return { left: textOf(entry.left_table), right: textOf(entry.right_table), pairs };
}

/** Lists are sometimes written as one text with commas. */
function listOf(value: JsonValue | undefined): readonly string[] {
  const items = Array.isArray(value) ? value.map(textOf) : textOf(value).split(",");
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
