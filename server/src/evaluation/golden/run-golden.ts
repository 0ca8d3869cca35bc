import { create } from "@bufbuild/protobuf";
import type { Evaluation_Golden } from "@frontdesk/protos/ces/evaluation";
import { SessionConfigSchema, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import type { CaseDeps, EvaluationCase, NotMeasured } from "../contract.ts";
import { runObservedTurn, type TurnOutcome } from "../observation/run-observed-turn.ts";
import { expectedHistory } from "./expected-history.ts";
import { goldenMocks } from "./golden-mocks.ts";
import { type GoldenTurn, goldenTurns } from "./golden-turns.ts";

/** A turn of a golden with what came of it. */
export interface RunTurn {
  readonly golden: GoldenTurn;
  readonly outcome:
    | TurnOutcome
    | { readonly kind: "session-ended" /** Of which turn, from 1. */; readonly turn: number };
}

/**
 * Runs the turns of a golden (EVAL-6): STABLE each in a session of its own with the expected past, NAIVE one after the other in one
 * session. A turn that cannot be measured ends a NAIVE run, because later turns would follow another conversation.
 */
export async function runGolden(
  golden: Evaluation_Golden,
  evaluationCase: EvaluationCase,
  deps: Omit<CaseDeps, "judge">,
): Promise<readonly RunTurn[]> {
  const turns = goldenTurns(golden);
  const run: RunTurn[] = [];
  for (const [position, turn] of turns.entries()) {
    const before = run.at(-1);
    run.push({
      golden: turn,
      outcome:
        outcomeBefore(before, position, evaluationCase) ?? (await runTurn(turns, position, evaluationCase, deps)),
    });
  }
  return run;
}

/** What a NAIVE turn cannot go on from: a session that has ended, or a turn that failed. */
function outcomeBefore(
  before: RunTurn | undefined,
  position: number,
  { settings }: EvaluationCase,
): RunTurn["outcome"] | undefined {
  if (settings.stable || !before) return undefined;
  const { outcome } = before;
  if (outcome.kind === "observed") return outcome.ended ? { kind: "session-ended", turn: position } : undefined;
  if (outcome.kind === "session-ended") return outcome;
  const problem: NotMeasured = { ...outcome.problem, message: `An earlier turn failed: ${outcome.problem.message}` };
  return { kind: "not-measured", problem };
}

function runTurn(
  turns: readonly GoldenTurn[],
  position: number,
  evaluationCase: EvaluationCase,
  deps: Omit<CaseDeps, "judge">,
): Promise<TurnOutcome> {
  const { app, snapshot, settings, id } = evaluationCase;
  const turn = turns[position] as GoldenTurn;
  const past = settings.stable ? expectedHistory(turns.slice(0, position)) : { messages: [], agent: "" };
  const session = `${app.name}/sessions/eval-${id}${settings.stable ? `-${position + 1}` : ""}`;
  const clientTools = new Set(
    snapshot.snapshot.tools.flatMap(({ name, toolType }) => (toolType.case === "clientFunction" ? [name] : [])),
  );
  const config = create(SessionConfigSchema, {
    session,
    useToolFakes: settings.useToolFakes,
    historicalContexts: [...past.messages],
    entryAgent: past.agent,
  });
  const inputs = turn.inputs.length > 0 ? turn.inputs : [WELCOME];
  const mocks = goldenMocks(turn, (tool) => clientTools.has(tool));
  return runObservedTurn({ session, config, inputs, mocks }, evaluationCase, deps);
}

/** A turn without user input is one that the agent begins (EVAL-5). */
const WELCOME = create(SessionInputSchema, { inputType: { case: "event", value: { event: "welcome" } } });
