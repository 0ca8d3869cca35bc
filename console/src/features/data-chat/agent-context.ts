import type { Context } from "@frontdesk/protos/gda/context";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { parse } from "yaml";
import { locationOf } from "../../api/resource-names.ts";
import { isUpload, tableLabel } from "./table-name.ts";

/** Something with a name and what it means. */
export interface Term {
  readonly name: string;
  readonly meaning: string;
}

/** What a data agent knows, as a person reads it. */
interface AgentContext {
  /** Full names of tables and explores. */
  readonly tables: readonly string[];
  readonly measures: readonly Term[];
  readonly glossary: readonly Term[];
  /** Questions whose query is verified; those that want a parameter are left out. */
  readonly questions: readonly string[];
  /** The instruction as it was written. */
  readonly instruction: string;
  /** The uploaded file that the first table is of, and the id of that table. */
  readonly file: { readonly name: string; readonly table: string } | undefined;
}

/** Reads the published context of an agent, or the staged one where none was published. */
export function agentContext({ name, type }: DataAgent): AgentContext {
  const agent = type.case === "dataAnalyticsAgent" ? type.value : undefined;
  const context = agent?.publishedContext ?? agent?.stagingContext;
  const instruction = context?.systemInstruction ?? "";
  return {
    tables: context ? tablesOf(context) : [],
    measures: measuresOf(instruction),
    glossary: (context?.glossaryTerms ?? []).map(({ displayName, description }) => ({
      name: displayName,
      meaning: description,
    })),
    questions: (context?.exampleQueries ?? [])
      .map(({ naturalLanguageQuestion }) => naturalLanguageQuestion)
      .filter((question) => question !== "" && !/@\w/.test(question)),
    instruction,
    file: context && fileOf(name, context),
  };
}

function fileOf(agent: string, { datasourceReferences }: Context): AgentContext["file"] {
  const { references } = datasourceReferences ?? {};
  const [table] = references?.case === "bq" ? references.value.tableReferences : [];
  if (!table || !isUpload(table.datasetId)) return undefined;
  return { name: `${locationOf(agent)}/dataFiles/${table.datasetId}`, table: table.tableId };
}

function tablesOf({ datasourceReferences }: Context): readonly string[] {
  const { references } = datasourceReferences ?? {};
  switch (references?.case) {
    case "bq":
      return references.value.tableReferences.map(tableLabel);
    case "looker":
      return references.value.exploreReferences.map(({ lookmlModel, explore }) => `${lookmlModel}.${explore}`);
    case "studio":
      return references.value.studioReferences.map(({ datasourceId }) => datasourceId);
    default:
      return [];
  }
}

/** The measures of an instruction that is YAML of tables (the form that the documentation of the API recommends). */
function measuresOf(instruction: string): readonly Term[] {
  let document: unknown;
  try {
    document = parse(instruction);
  } catch {
    return []; // Plain words are an instruction, too.
  }
  return below(document, "measure").map((measure) => ({
    name: textOf(measure.name),
    meaning: textOf(measure.description) || textOf(measure.exp),
  }));
}

/** Every object below a key, at any depth. */
function below(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap((inside) => below(inside, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) =>
    name === key && typeof inside === "object" && inside !== null && !Array.isArray(inside)
      ? [inside as Readonly<Record<string, unknown>>]
      : below(inside, key),
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
