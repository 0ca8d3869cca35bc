import { create } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type Evaluation_GoldenExpectation,
  Evaluation_GoldenTurnSchema,
  type Evaluation_Step,
  EvaluationSchema,
  Evaluation_GoldenExpectationSchema as ExpectationSchema,
  Evaluation_StepSchema as StepSchema,
} from "@frontdesk/protos/ces/evaluation";
import { EvaluationMetricsConfig_ComparisonType as Comparison } from "@frontdesk/protos/ces/evaluation_metrics_config";
import { AgentTransferSchema, MessageSchema, ToolCallSchema } from "@frontdesk/protos/ces/example";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject } from "#base";
import type { GoldenChange, ScenarioChange } from "./app-changes.ts";
import type { NamedResources } from "./named-resources.ts";

type Condition = Evaluation_GoldenExpectation["condition"];
type Turn = GoldenChange["turns"][number];

const COMPARISONS = {
  meaning: Comparison.COMPARISON_TYPE_UNSPECIFIED,
  contains: Comparison.CONTAINS,
  equals: Comparison.EQUALS,
} as const;

/** The golden that a model wrote. `problems` gets a sentence for each name and argument that cannot be meant. */
export function goldenOf(name: string, golden: GoldenChange, names: NamedResources, problems: string[]): Evaluation {
  const turns = golden.turns.map((turn, position) => {
    const place = `goldens['${golden.name}'].turns[${position}]`;
    const conditions = conditionsOf(turn, place, names, problems);
    const steps = [
      ...inputOf(turn).map((value) => step({ case: "userInput", value })),
      ...conditions.map((condition) => step({ case: "expectation", value: expectation(condition, turn) })),
    ];
    return create(Evaluation_GoldenTurnSchema, { steps });
  });
  const { name: displayName, description } = golden;
  return create(EvaluationSchema, { name, displayName, description, inputs: { case: "golden", value: { turns } } });
}

/** The scenario that a model wrote. */
export function scenarioOf(name: string, scenario: ScenarioChange): Evaluation {
  const { name: displayName, task, rubrics, user_facts: userFacts, max_turns: maxTurns } = scenario;
  const value = { task, rubrics, userFacts, maxTurns };
  return create(EvaluationSchema, { name, displayName, inputs: { case: "scenario", value } });
}

/** A turn that nobody begins is the event `welcome` (EVAL-5). */
function inputOf({ user }: Turn): readonly SessionInput[] {
  const inputType = user === "" ? undefined : ({ case: "text", value: user } as const);
  return inputType ? [create(SessionInputSchema, { inputType })] : [];
}

function conditionsOf(turn: Turn, place: string, names: NamedResources, problems: string[]): readonly Condition[] {
  const transfers = turn.transfers.flatMap((name): readonly Condition[] => {
    const targetAgent = names.agent(name, `${place}.transfers`);
    if (targetAgent === undefined) return [];
    return [{ case: "agentTransfer", value: create(AgentTransferSchema, { targetAgent, displayName: name }) }];
  });
  const calls = turn.tool_calls.flatMap(({ tool, args_json: text }): readonly Condition[] => {
    const args = argumentsOf(text);
    if (!args) problems.push(`${place}.tool_calls: the arguments of '${tool}' are not a JSON object: ${text}`);
    const value = names.tool(tool, `${place}.tool_calls`);
    if (!args || value === undefined) return [];
    const call = create(ToolCallSchema, { displayName: tool, toolIdentifier: { case: "tool", value }, args });
    return [{ case: "toolCall", value: call }];
  });
  return [...transfers, ...calls, ...answerOf(turn)];
}

function answerOf({ answer }: Turn): readonly Condition[] {
  if (answer === "") return [];
  const value = create(MessageSchema, { chunks: [{ data: { case: "text", value: answer } }] });
  return [{ case: "agentResponse", value }];
}

function expectation(condition: Condition, { match }: Turn): Evaluation_GoldenExpectation {
  const comparisonType = condition.case === "agentResponse" ? COMPARISONS[match] : COMPARISONS.meaning;
  return create(ExpectationSchema, { condition, comparisonType });
}

function step(value: Evaluation_Step["step"]): Evaluation_Step {
  return create(StepSchema, { step: value });
}

function argumentsOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
