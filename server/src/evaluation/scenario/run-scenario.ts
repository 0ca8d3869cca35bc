import { create } from "@bufbuild/protobuf";
import { EvaluationSettings_ScenarioConversationInitiator as Initiator } from "@frontdesk/protos/ces/app";
import { EvaluationErrorInfo_ErrorType as ErrorType, type Evaluation_Scenario } from "@frontdesk/protos/ces/evaluation";
import type { Message, ToolResponse } from "@frontdesk/protos/ces/example";
import { SessionConfigSchema, type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { UnusableAnswer } from "#models";
import { textInput } from "#session";
import { logFault, toStatusError } from "#status";
import type { CaseDeps, EvaluationCase, NotMeasured } from "../contract.ts";
import { mocksOf } from "../golden/golden-mocks.ts";
import type { ObservedTurn } from "../observation/observed-turn.ts";
import { runObservedTurn } from "../observation/run-observed-turn.ts";
import { type MilestoneStep, Milestones } from "./milestones.ts";
import { briefOf, nextUserTurn, type UserBrief, type UserTurn } from "./simulated-user.ts";

/** What runs scenarios. */
export interface ScenarioDeps extends CaseDeps {
  /** Name of the model that plays the user. "" = the server's default model. */
  readonly userModel: string;
}

/** A conversation with a simulated user. */
export interface RunScenario {
  readonly turns: readonly ObservedTurn[];
  /** All messages, in order. */
  readonly messages: readonly Message[];
  /** The milestone that was not reached, with the reason; undefined when all were. */
  readonly unreached: MilestoneStep | undefined;
  /** Why the conversation could not be held, or not to its end. */
  readonly problem: NotMeasured | undefined;
}

/** Turns of a scenario that names no maximum (EVAL-1). */
const MAX_TURNS = 100;

/** Simulates a conversation in one session: until the user leaves, the agent ends it, a milestone fails, or the turns are used up (EVAL-18). */
export async function runScenario(
  brief: UserBrief,
  evaluationCase: EvaluationCase,
  deps: ScenarioDeps,
): Promise<RunScenario> {
  const { scenario } = brief;
  const { app, id, signal } = evaluationCase;
  const session = `${app.name}/sessions/eval-${id}`;
  const milestones = new Milestones(scenario.milestones);
  const turns: ObservedTurn[] = [];
  const messages: Message[] = [];
  const finish = (end: Partial<Pick<RunScenario, "problem" | "unreached">> = {}): RunScenario => ({
    turns,
    messages,
    problem: undefined,
    unreached: milestones.allReached ? undefined : UNREACHED,
    ...end,
  });
  let last: MilestoneStep | undefined;
  while (turns.length < (scenario.maxTurns || MAX_TURNS)) {
    const next = await nextInput(brief, milestones, messages, evaluationCase, deps);
    if ("problem" in next) return finish({ problem: { ...next.problem, session } });
    if (!next.input && turns.length === 0) return finish({ problem: { ...SILENT_USER, session } });
    if (!next.input) break;
    const inputs = turns.length === 0 ? [...variablesInput(scenario), next.input] : [next.input];
    const outcome = await runScenarioTurn(session, inputs, scenario, evaluationCase, deps);
    if (outcome.kind === "not-measured") return finish({ problem: outcome.problem });
    turns.push(outcome.turn);
    messages.push(...outcome.turn.messages);
    last = await milestones.countTurn(messages, deps.judge, signal);
    if (last && last.verdict !== "passed") return finish({ unreached: last });
    if (outcome.ended || (scenario.milestones.length > 0 && milestones.allReached)) break;
  }
  return finish();
}

/** What a conversation that ended too early says of its milestones. */
export const UNREACHED: MilestoneStep = {
  verdict: "failed",
  explanation: "The conversation ended before all milestones were reached.",
};

function runScenarioTurn(
  session: string,
  inputs: readonly SessionInput[],
  scenario: Evaluation_Scenario,
  evaluationCase: EvaluationCase,
  deps: CaseDeps,
) {
  const { useToolFakes } = evaluationCase.settings;
  const responses = scenario.scenarioExpectations.flatMap(({ expectation }): readonly ToolResponse[] =>
    expectation.case === "toolExpectation" && expectation.value.mockToolResponse
      ? [expectation.value.mockToolResponse]
      : [],
  );
  const mocks = responses.length > 0 ? mocksOf(responses) : undefined;
  const config = create(SessionConfigSchema, { session, useToolFakes });
  return runObservedTurn({ session, config, inputs, mocks }, evaluationCase, deps);
}

function variablesInput({ variableOverrides }: Evaluation_Scenario): readonly SessionInput[] {
  if (!variableOverrides || Object.keys(variableOverrides).length === 0) return [];
  return [create(SessionInputSchema, { inputType: { case: "variables", value: variableOverrides } })];
}

type NextInput = { readonly input: SessionInput | undefined } | { readonly problem: Omit<NotMeasured, "session"> };

/** What the user sends next: what the milestone fixes, else what the model that plays the user says. Undefined input: the user leaves. */
async function nextInput(
  brief: UserBrief,
  milestones: Milestones,
  past: readonly Message[],
  { app, answers, signal }: EvaluationCase,
  deps: ScenarioDeps,
): Promise<NextInput> {
  const { current } = milestones;
  if (past.length === 0 && app.evaluationSettings?.scenarioConversationInitiator === Initiator.AGENT) {
    return { input: eventInput("welcome") };
  }
  if (current && milestones.isAtStart && current.event) return { input: eventInput(current.event.event) };
  if (current && milestones.isAtStart && current.staticUtterance) return { input: textInput(current.staticUtterance) };
  try {
    const model = answers.remember(deps.models).resolve(deps.userModel);
    if (!model.capabilities.instructionFollowing) return { problem: NO_USER };
    const turn: UserTurn = await nextUserTurn(briefOf(brief, current), past, model, signal);
    return { input: turn.kind === "leaves" ? undefined : textInput(turn.text) };
  } catch (error) {
    signal.throwIfAborted();
    const type = ErrorType.USER_SIMULATION_FAILURE;
    if (error instanceof UnusableAnswer)
      return { problem: { type, message: `The model that plays the user cannot be used: ${error.message}.` } };
    logFault(error, deps.logger, "a simulated user could not be asked");
    return { problem: { type, message: `The simulated user did not answer: ${toStatusError(error).rawMessage}` } };
  }
}

/** A conversation in which nobody said a word tells nothing of the app (EVAL-112). */
const SILENT_USER = {
  type: ErrorType.USER_SIMULATION_FAILURE,
  message: "The simulated user left before it said anything. Say in the task what the user wants.",
};

const NO_USER = {
  type: ErrorType.USER_SIMULATION_FAILURE,
  message:
    "A scenario's user is played by a language model, and the default model is rules. Configure a model, or give each milestone a " +
    "static_utterance.",
};

function eventInput(event: string): SessionInput {
  return create(SessionInputSchema, { inputType: { case: "event", value: { event } } });
}
