import { create } from "@bufbuild/protobuf";
import { type Context, LookerQuery_FilterSchema, LookerQuerySchema } from "@frontdesk/protos/gda/context";
import type { Schema } from "@frontdesk/protos/gda/datasource";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { Explore, ExploreField } from "#warehouse";
import { parseYamlInstruction } from "../context/yaml-instruction.ts";
import type { GoldenQuery } from "./looker-planner.ts";

/** Explores with the labels, descriptions, synonyms and tags of the context. Fields stay those of the instance. */
export function withAuthorMetadata(
  explores: readonly Explore[],
  { datasourceReferences }: Pick<Context, "datasourceReferences">,
): readonly Explore[] {
  const references = datasourceReferences?.references;
  if (references?.case !== "looker") return explores;
  return explores.map((explore) => {
    const reference = references.value.exploreReferences.find(
      (one) => one.lookmlModel === explore.model && one.explore === explore.name,
    );
    return reference?.schema ? described(explore, reference.schema) : explore;
  });
}

function described(explore: Explore, schema: Schema): Explore {
  const words = new Map(schema.fields.map((field) => [field.name, field]));
  return {
    ...explore,
    label: schema.displayName || explore.label,
    description: schema.description || explore.description,
    synonyms: schema.synonyms,
    tags: schema.tags,
    fields: explore.fields.map((field): ExploreField => {
      const own = words.get(field.name);
      if (!own) return field;
      const { synonyms, tags } = own;
      const [label, description] = [own.displayName || field.label, own.description || field.description];
      return { ...field, label, description, synonyms, tags };
    }),
  };
}

/** Golden queries of the context and of a YAML instruction. */
export function goldenQueries(context: Context): readonly GoldenQuery[] {
  const structured = context.lookerGoldenQueries.flatMap(({ naturalLanguageQuestions, lookerQuery }) =>
    lookerQuery ? naturalLanguageQuestions.map((question) => ({ question, query: lookerQuery })) : [],
  );
  const withWarning = parseYamlInstruction(context.systemInstruction).lookerGolden.map(({ question, query }) => ({
    question,
    query: toLookerQuery(query),
  }));
  return [...structured, ...withWarning];
}

/** The query of the YAML form: `model`, `view` or `explore`, `fields`, `filters` as a map or a list, `sorts`, `limit`. */
function toLookerQuery({ model, view, explore, fields, filters, sorts, limit }: JsonObject) {
  return create(LookerQuerySchema, {
    model: textOf(model),
    explore: textOf(explore) || textOf(view),
    fields: textsOf(fields),
    filters: filtersOf(filters).map(([field, value]) => create(LookerQuery_FilterSchema, { field, value })),
    sorts: textsOf(sorts),
    ...(limit !== undefined && limit !== null && { limit: textOf(limit) }),
  });
}

function filtersOf(value: JsonValue | undefined): readonly (readonly [string, string])[] {
  const list = Array.isArray(value) ? value : [value ?? null];
  return list
    .filter(isJsonObject)
    .flatMap((one) =>
      "field" in one
        ? [[textOf(one.field), textOf(one.value)] as const]
        : Object.entries(one).map(([field, text]) => [field, textOf(text)] as const),
    );
}

function textsOf(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value ?? ""]).map(textOf).filter((text) => text !== "");
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
