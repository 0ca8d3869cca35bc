import type { FieldViolation } from "#status";
import { MAX_CONTEXT } from "../limits.ts";

/** A description that is too long for a prompt. */
export function contextViolations(context: string, field: string): readonly FieldViolation[] {
  if (context.length <= MAX_CONTEXT) return [];
  const figures = `${context.length.toLocaleString("en")} characters; at most ${MAX_CONTEXT.toLocaleString("en")}`;
  return [{ field, description: `The description has ${figures}. Give longer material as files, in file_contexts.` }];
}

/** A dataset of another service, which this server cannot read. */
export function datasetViolations(datasetId: string, config: string): readonly FieldViolation[] {
  if (datasetId === "") return [];
  const description =
    "Conversations of an Insights dataset cannot be read here. Leave it empty; GenerateEvaluation makes an evaluation of a stored conversation.";
  return [{ field: `${config}.dataset_id`, description }];
}
