import { create } from "@bufbuild/protobuf";
import {
  EvaluationSchema,
  Evaluation_Scenario_UserGoalBehavior as GoalBehavior,
} from "@frontdesk/protos/ces/evaluation";
import { z } from "zod";
import { definedFields } from "#base";
import type { TestCase } from "../suite/contract.ts";
import { evaluationTest } from "../suite/evaluation-test.ts";
import { textCheck } from "../suite/turn-text.ts";
import { allOf } from "../verdict.ts";
import type { TestSource } from "./test-source.ts";
import { eachItem, ParametersSchema, TagsSchema, TextsSchema } from "./test-values.ts";

const StepSchema = z.looseObject({
  goal: z.string().min(1),
  success_criteria: z.string().optional(),
  response_guide: z.string().optional(),
  max_turns: z.number().int().min(1).max(100).optional(),
  static_utterance: z.string().optional(),
  inject_variables: ParametersSchema.nullish(),
});

const CaseSchema = z.looseObject({
  name: z.string().min(1),
  tags: TagsSchema,
  session_parameters: ParametersSchema.nullish(),
  steps: z.array(StepSchema).min(1),
  expectations: TextsSchema.nullish(),
  audio_expectations: z.array(z.unknown()).nullish(),
});

const FileSchema = z.looseObject({
  common_session_parameters: ParametersSchema.nullish(),
  common_expectations: TextsSchema.nullish(),
});

type Simulation = z.infer<typeof CaseSchema>;

/** Turns of a step that names no maximum. */
const STEP_TURNS = 10;

/** Simulations of the toolkit (EVAL-36): scenarios whose milestones are the steps. The file is a list, or has one in `evals`. */
export function readSimulationFile(source: TestSource): readonly TestCase[] {
  const isList = Array.isArray(source.value);
  const common = isList ? {} : source.read([], FileSchema);
  return eachItem(source, isList ? [] : ["evals"], CaseSchema, (item, line, path) => {
    const late = item.steps.findIndex(({ inject_variables: variables }, position) => position > 0 && variables);
    if (late > 0)
      throw source.error(
        [...path, "steps", late],
        "inject_variables can be given in the first step only. Write it there, or as session_parameters.",
      );
    const test = evaluationTest({
      evaluation: toEvaluation(item, { ...common.common_session_parameters, ...item.session_parameters }),
      kind: "simulation",
      file: source.path,
      line,
      criteria: [...(common.common_expectations ?? []), ...(item.expectations ?? [])],
    });
    return (item.audio_expectations ?? []).length > 0 ? withoutSound(test) : test;
  });
}

function toEvaluation({ name, tags, steps }: Simulation, parameters: z.infer<typeof ParametersSchema>) {
  return create(EvaluationSchema, {
    displayName: name,
    tags,
    inputs: {
      case: "scenario",
      value: {
        task: steps.map(({ goal }) => goal).join("\n"),
        maxTurns: Math.min(
          100,
          steps.reduce((sum, { max_turns: turns = STEP_TURNS }) => sum + turns, 0),
        ),
        variableOverrides: { ...parameters, ...steps[0]?.inject_variables },
        // The criteria of the steps decide.
        userGoalBehavior: GoalBehavior.USER_GOAL_IGNORED,
        milestones: steps.map((step) => ({
          goal: step.goal,
          ...definedFields({
            successCriteria: step.success_criteria,
            protocol: step.response_guide,
            maxTurnCount: step.max_turns,
            staticUtterance: step.static_utterance,
          }),
        })),
      },
    },
  });
}

/** A simulation whose sound should be judged: by text that is not measured. */
function withoutSound(test: TestCase): TestCase {
  const reason = "This run is by text, and has no sound to judge.";
  const check = textCheck("audio expectations", "not-measured", "", "", reason);
  return {
    ...test,
    run: async (context) => {
      const attempt = await test.run(context);
      return { ...attempt, checks: [...attempt.checks, check], verdict: allOf([attempt.verdict, check.verdict]) };
    },
  };
}
