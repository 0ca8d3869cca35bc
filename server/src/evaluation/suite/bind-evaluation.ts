import { clone } from "@bufbuild/protobuf";
import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { referenceOf, walkMessages } from "#aip";
import type { AppNames } from "../app-names.ts";

/** An evaluation with the resource names of an app, and the references that the app does not have. */
interface BoundEvaluation {
  readonly evaluation: Evaluation;
  /** One sentence each. */
  readonly missing: readonly string[];
}

/**
 * Replaces the references of an evaluation (display names, or names in another app) by the resource names of an app. `expectations`: the
 * name of a criterion by what the evaluation calls it.
 */
export function bindEvaluation(
  evaluation: Evaluation,
  names: Omit<AppNames, "tool">,
  expectations: (reference: string) => string | undefined,
): BoundEvaluation {
  const bound = clone(EvaluationSchema, evaluation);
  const missing = new Set<string>();
  const found = (reference: string, label: string, name: string | undefined, known: readonly string[]): string => {
    if (name === undefined)
      missing.add(`The app has no ${label} '${reference}'; it has ${known.join(", ") || "none"}.`);
    return name ?? reference;
  };
  walkMessages(EvaluationSchema, bound, (message) => {
    for (const field of message.fields) {
      const type = referenceOf(field)?.type;
      if (!type || !message.isSet(field)) continue;
      if (field.fieldKind === "list" && type === "ces.googleapis.com/EvaluationExpectation") {
        const list = message.get(field);
        for (const [position, reference] of [...list].entries())
          list.set(position, found(String(reference), "expectation", expectations(String(reference)), []));
      }
      if (field.fieldKind !== "scalar") continue;
      const reference = String(message.get(field));
      if (type === "ces.googleapis.com/Agent")
        message.set(field, found(reference, "agent", names.agent(reference), names.agents));
      if (type === "ces.googleapis.com/Toolset")
        message.set(field, found(reference, "toolset", names.toolset(reference), names.toolsets));
      if (type !== "ces.googleapis.com/Tool") continue;
      const tool = names.toolOrMember(reference);
      if (tool?.case === "tool") message.set(field, tool.value);
      else if (tool?.case === "toolsetTool")
        (message.message as { toolIdentifier?: typeof tool }).toolIdentifier = tool;
      else found(reference, "tool", undefined, names.tools);
    }
  });
  return { evaluation: bound, missing: [...missing] };
}
