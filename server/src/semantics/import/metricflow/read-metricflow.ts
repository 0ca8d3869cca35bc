import { type Located, readLocated, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type { Dataset, ModelDefinition } from "../../model/model.ts";
import type { Importer } from "../contract.ts";
import { applyTests, type ColumnTest, manifestTests, schemaTests } from "./column-tests.ts";
import { entityRelationships, readEntities } from "./entities.ts";
import { isManifest, parsedManifest } from "./manifest.ts";
import { readMetrics } from "./metrics.ts";
import { readSemanticModel } from "./semantic-models.ts";

/** Reads MetricFlow: YAML files of a dbt project, or `semantic_manifest.json`, with the tests of `manifest.json` beside them (SEM-8). */
export const readMetricflow: Importer = (files, { name }, notes) => {
  const manifest = files.find(({ path }) => isManifest(path));
  const relations = manifest ? parsedManifest(manifest) : undefined;
  const documents = files.filter((file) => file !== manifest).map((file) => readLocated(file));
  const models = documents.flatMap((document) => document.get("semantic_models")?.items() ?? []);
  const datasets = models.map((node) => readSemanticModel(node, relations, notes));
  const entities = models.flatMap((node) => readEntities(node, notes));
  const tests: readonly ColumnTest[] = [
    ...(relations ? manifestTests(relations) : []),
    ...documents.flatMap((document) => schemaTests(document)),
  ];
  const related = { datasets, relationships: entityRelationships(entities) };
  const tested = applyTests(related, tests);
  const nodes = documents.flatMap((document) => document.get("metrics")?.items() ?? []);
  const { metrics, measures } = readMetrics(nodes, models, { datasets: tested.datasets, entities, notes });
  for (const document of documents) tellOthers(document, notes);
  return {
    name: name ?? (relations && textOf(relations.metadata?.project_name)) ?? "model",
    datasets: tested.datasets.map(
      (dataset): Dataset => ({ ...dataset, measures: [...dataset.measures, ...(measures.get(dataset.name) ?? [])] }),
    ),
    relationships: tested.relationships,
    metrics,
    filters: [],
    glossary: [],
    verifiedQuestions: [],
  } satisfies ModelDefinition;
};

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function tellOthers(document: Located, notes: Notes): void {
  for (const model of document.get("models")?.items() ?? []) {
    if (model.get("semantic_model") || model.get("metrics"))
      notes.add(
        model,
        `model ${textAt(model, "name")}: semantic models within models are read from target/semantic_manifest.json; run dbt parse and import it`,
      );
  }
  for (const query of document.get("saved_queries")?.items() ?? [])
    notes.add(query, `saved query ${textAt(query, "name")} is not carried`);
}
