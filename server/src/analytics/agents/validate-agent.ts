import type { Context } from "@frontdesk/protos/gda/context";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { hasMoreValues, MAX_VALUES } from "#aip";
import type { FieldViolation } from "#status";
import { modelViolations } from "../defined/agent-model.ts";
import { statementViolations } from "../statements/asked-statement.ts";

/** Longest names and descriptions (data_agent.proto). */
const MAX_DISPLAY_NAME = 256;
const MAX_DESCRIPTION = 1024;
/** Questions on the board of an agent. */
const MAX_PINS = 50;
/** Explores that one agent may ask (CA-15). */
const MAX_EXPLORES = 5;

/** Field violations of an agent from a request. Whether its tables are mapped is checked when a question is asked. */
export async function agentViolations(agent: DataAgent): Promise<readonly FieldViolation[]> {
  const { displayName, description, kmsKey, pinnedQuestions, semanticModel, type } = agent;
  const contexts = type.case === "dataAnalyticsAgent" ? type.value : undefined;
  return [
    ...sizeViolations(agent),
    ...tooLong("data_agent.display_name", displayName, MAX_DISPLAY_NAME),
    ...tooLong("data_agent.description", description, MAX_DESCRIPTION),
    ...kmsKeyViolations("data_agent.kms_key", kmsKey),
    ...pinViolations(pinnedQuestions),
    ...(await modelViolations(semanticModel, "data_agent.semantic_model")),
    ...contextViolations(contexts?.stagingContext, "data_agent.data_analytics_agent.staging_context"),
    ...contextViolations(contexts?.publishedContext, "data_agent.data_analytics_agent.published_context"),
  ];
}

/** Parts that are each small enough for a request can be too much together (WIRE-23). */
function sizeViolations(agent: DataAgent): readonly FieldViolation[] {
  if (!hasMoreValues(agent, MAX_VALUES)) return [];
  const description = `The data agent would have more than ${MAX_VALUES} values. Divide it, or make another field smaller first.`;
  return [{ field: "data_agent", description }];
}

/** A board is read whole by everybody who opens it (CA-41). */
function pinViolations(pins: DataAgent["pinnedQuestions"]): readonly FieldViolation[] {
  const field = "data_agent.pinned_questions";
  if (pins.length > MAX_PINS)
    return [{ field, description: `has ${pins.length} questions; the limit is ${MAX_PINS}. Unpin some.` }];
  return pins.flatMap((pin, at) => {
    const { question } = pin;
    if (question === "") return [{ field: `${field}[${at}].question`, description: "Required field is not set." }];
    const isRepeated = pins.findIndex((other) => other.question === question) < at;
    return [
      ...statementViolations(pin, `${field}[${at}].`),
      ...(isRepeated ? [{ field: `${field}[${at}].question`, description: "is on the board already." }] : []),
    ];
  });
}

/** A key that encrypts nothing would be a false promise. */
export function kmsKeyViolations(field: string, key: string | undefined): readonly FieldViolation[] {
  if (!key) return [];
  return [{ field, description: "This server encrypts nothing with Cloud KMS keys. Leave the key out." }];
}

/** What contradicts itself or goes beyond a limit in a context, whatever its data. */
export function contextViolations(context: Context | undefined, at: string): readonly FieldViolation[] {
  if (!context) return [];
  return [...referenceViolations(context, at), ...optionViolations(context, at), ...relationViolations(context, at)];
}

function referenceViolations({ datasourceReferences }: Context, at: string): readonly FieldViolation[] {
  const { references } = datasourceReferences ?? { references: { case: undefined } };
  const below = `${at}.datasource_references`;
  if (references.case === "bq") {
    const { tableReferences, propertyGraphReferences } = references.value;
    if (tableReferences.length === 0 || propertyGraphReferences.length === 0) return [];
    return [
      {
        field: `${below}.bq.property_graph_references`,
        description: "Tables and a property graph exclude each other. Leave one of them out.",
      },
    ];
  }
  if (references.case === "looker" && references.value.exploreReferences.length > MAX_EXPLORES) {
    const description = `An agent asks at most ${MAX_EXPLORES} explores.`;
    return [{ field: `${below}.looker.explore_references`, description }];
  }
  return [];
}

function optionViolations({ options }: Context, at: string): readonly FieldViolation[] {
  const bytes = options?.datasource?.bigQueryMaxBilledBytes;
  if (bytes === undefined || bytes > 0n) return [];
  const description = "A limit of billed bytes is above zero; leave it out for no limit.";
  return [{ field: `${at}.options.datasource.big_query_max_billed_bytes`, description }];
}

function relationViolations({ schemaRelationships }: Context, at: string): readonly FieldViolation[] {
  return schemaRelationships.flatMap(({ leftSchemaPaths, rightSchemaPaths }, index) => {
    if (leftSchemaPaths?.paths.length === rightSchemaPaths?.paths.length) return [];
    const description = "The paths of both sides pair by position, so there must be as many on each.";
    return [{ field: `${at}.schema_relationships[${index}]`, description }];
  });
}

function tooLong(field: string, text: string, most: number): readonly FieldViolation[] {
  return text.length > most ? [{ field, description: `At most ${most} characters, not ${text.length}.` }] : [];
}
