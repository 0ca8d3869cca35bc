import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import { EvaluationErrorInfo_ErrorType as ErrorType, type Evaluation_Golden } from "@frontdesk/protos/ces/evaluation";
import { isSystemToolName } from "#tools";
import type { NotMeasured } from "../contract.ts";
import { type GoldenTurn, goldenTurns } from "./golden-turns.ts";

/** Why a golden cannot be run against an app: it names what the app does not have (EVAL-75). Undefined when it can. */
export function missingReferences(golden: Evaluation_Golden, snapshot: AppSnapshot): NotMeasured | undefined {
  const missing = goldenTurns(golden).flatMap(({ expectations }, position) =>
    expectations
      .filter(({ skipEvaluation }) => !skipEvaluation)
      .flatMap(({ condition }) => missingOf(condition, snapshot))
      .map((what) => `turn ${position + 1} names ${what}`),
  );
  if (missing.length === 0) return undefined;
  const message = `The golden does not fit the app: ${[...new Set(missing)].join("; ")}. Change the golden, or evaluate a version that has it.`;
  return { type: ErrorType.RUNTIME_FAILURE, message, session: "" };
}

function missingOf(condition: GoldenTurn["expectations"][number]["condition"], snapshot: AppSnapshot): string[] {
  switch (condition.case) {
    case "toolCall":
    case "toolResponse":
    case "mockToolResponse":
      return missingTool(condition.value, snapshot);
    case "agentTransfer": {
      const { targetAgent, displayName } = condition.value;
      const found = snapshot.agents.some((agent) =>
        [targetAgent, displayName].some((name) => name !== "" && [agent.name, agent.displayName].includes(name)),
      );
      return found ? [] : [`the agent '${displayName || targetAgent}'`];
    }
    default:
      return [];
  }
}

type ToolIdentifier = Extract<
  GoldenTurn["expectations"][number]["condition"],
  { case: "toolCall" }
>["value"]["toolIdentifier"];

function missingTool(
  { toolIdentifier: identifier }: { readonly toolIdentifier: ToolIdentifier },
  { tools, toolsets }: AppSnapshot,
): string[] {
  if (identifier.case === "toolsetTool") {
    const { toolset } = identifier.value;
    return toolsets.some(({ name }) => name === toolset) ? [] : [`the toolset '${toolset}'`];
  }
  if (identifier.case !== "tool" || identifier.value.includes("/toolsets/")) return [];
  const id = identifier.value.slice(identifier.value.lastIndexOf("/") + 1);
  return isSystemToolName(id) || tools.some(({ name }) => name === identifier.value)
    ? []
    : [`the tool '${identifier.value}'`];
}
