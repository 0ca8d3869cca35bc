import { create } from "@bufbuild/protobuf";
import type {
  Evaluation_Golden,
  Evaluation_GoldenExpectation,
  Evaluation_GoldenTurn,
} from "@frontdesk/protos/ces/evaluation";
import { Evaluation_GoldenExpectationSchema } from "@frontdesk/protos/ces/evaluation";
import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { eventOfText } from "../observation/event-text.ts";

/** A turn of a golden, as it is run and scored. */
export interface GoldenTurn {
  readonly turn: Evaluation_GoldenTurn;
  /** What the user sends, in one request. */
  readonly inputs: readonly SessionInput[];
  /** All expectations in order, an agent transfer that is a step of its own among them. */
  readonly expectations: readonly Evaluation_GoldenExpectation[];
}

/** The turns of a golden. */
export function goldenTurns({ turns }: Evaluation_Golden): readonly GoldenTurn[] {
  return turns.map((turn) => ({
    turn,
    inputs: turn.steps.flatMap(({ step }) => (step.case === "userInput" ? [toInput(step.value)] : [])),
    expectations: turn.steps.flatMap(({ step }) => {
      if (step.case === "expectation") return [step.value];
      if (step.case !== "agentTransfer") return [];
      return [create(Evaluation_GoldenExpectationSchema, { condition: { case: "agentTransfer", value: step.value } })];
    }),
  }));
}

function toInput(input: SessionInput): SessionInput {
  const event = input.inputType.case === "text" ? eventOfText(input.inputType.value) : undefined;
  if (event === undefined) return input;
  return create(SessionInputSchema, { inputType: { case: "event", value: { event } } });
}
