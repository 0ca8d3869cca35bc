import { clone } from "@bufbuild/protobuf";
import type { Context, Context_SchemaRelationship as Relationship } from "@frontdesk/protos/gda/context";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import type { FieldErrors } from "../../api/field-errors.ts";
import { contextOf } from "./agent-parts.ts";

/** The agent without rows that were begun and left empty. */
export function tidied(agent: DataAgent): DataAgent {
  const after = clone(DataAgentSchema, agent);
  const context = contextOf(after);
  context.glossaryTerms = context.glossaryTerms.filter(
    ({ displayName, description }) => displayName.trim() !== "" || description.trim() !== "",
  );
  context.schemaRelationships = context.schemaRelationships.filter(
    ({ leftSchemaPaths: left, rightSchemaPaths: right }) => left?.tableFqn || right?.tableFqn,
  );
  return after;
}

/** What is missing in a context, by the path of the field. */
export function descriptionErrors({ glossaryTerms, schemaRelationships }: Context): FieldErrors {
  const errors = new Map<string, string>();
  glossaryTerms.forEach(({ displayName, description }, at) => {
    const field = `glossary_terms[${at}]`;
    const isRepeated = glossaryTerms.findIndex((other) => sameWord(other.displayName, displayName)) < at;
    if (displayName.trim() === "") errors.set(`${field}.display_name`, "Give the term a name.");
    else if (isRepeated) errors.set(`${field}.display_name`, "This term is in the glossary already.");
    if (description.trim() === "") errors.set(`${field}.description`, "Say what the term means.");
  });
  schemaRelationships.forEach((join, at) => {
    if (!isComplete(join)) errors.set(`schema_relationships[${at}]`, "Choose a table and a column on both sides.");
  });
  return errors;
}

function isComplete({ leftSchemaPaths: left, rightSchemaPaths: right }: Relationship): boolean {
  return [left, right].every(
    (side) => side?.tableFqn && side.paths.length > 0 && side.paths.every((path) => path !== ""),
  );
}

function sameWord(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
