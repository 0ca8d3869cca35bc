import { create } from "@bufbuild/protobuf";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { DataAnalyticsAgentSchema } from "@frontdesk/protos/gda/data_analytics_agent";

/** A part of a data agent that is changed, and saved, by itself. */
export interface Part {
  /** Its field, as a mask names it. */
  readonly field: string;
  readonly key: keyof DataAgent | keyof Context;
  /** Whether it is of the context, not of the agent. */
  readonly ofContext: boolean;
  readonly label: string;
}

/** The parts that the console edits. What it does not edit, such as verified questions, stays as others leave it. */
export const PARTS: readonly Part[] = [
  { field: "datasource_references", key: "datasourceReferences", ofContext: true, label: "tables" },
  { field: "schema_relationships", key: "schemaRelationships", ofContext: true, label: "joins" },
  { field: "glossary_terms", key: "glossaryTerms", ofContext: true, label: "glossary" },
  { field: "system_instruction", key: "systemInstruction", ofContext: true, label: "instructions" },
  { field: "display_name", key: "displayName", ofContext: false, label: "name" },
  { field: "description", key: "description", ofContext: false, label: "description" },
];

/** The context that answers questions: the published one, else the staging one, else an empty one. */
export function contextOf({ type }: DataAgent): Context {
  const agent = type.case === "dataAnalyticsAgent" ? type.value : undefined;
  return agent?.publishedContext ?? agent?.stagingContext ?? create(ContextSchema);
}

/** Where that context is, as masks and violations name it. */
export function contextPath(agent: DataAgent): string {
  return `data_analytics_agent.${isStaging(agent) ? "staging_context" : "published_context"}`;
}

/** `into` with one part of an agent. */
export function onlyPart({ key, ofContext }: Part, agent: DataAgent, into: DataAgent): DataAgent {
  if (!ofContext) return Object.assign(into, { [key]: agent[key as keyof DataAgent] });
  const value = into.type.case === "dataAnalyticsAgent" ? into.type.value : create(DataAnalyticsAgentSchema);
  const slot = isStaging(agent) ? "stagingContext" : "publishedContext";
  const context = value[slot] ?? create(ContextSchema);
  Object.assign(context, { [key]: contextOf(agent)[key as keyof Context] });
  value[slot] = context;
  into.type = { case: "dataAnalyticsAgent", value };
  return into;
}

function isStaging({ type }: DataAgent): boolean {
  return type.case === "dataAnalyticsAgent" && !type.value.publishedContext && type.value.stagingContext !== undefined;
}
