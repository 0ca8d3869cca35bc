import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { type EvaluationResult, EvaluationResult_Outcome as Outcome } from "@frontdesk/protos/ces/evaluation";
import { resultChecks, type TestCheck } from "#evaluation";
import type { AppTree } from "#resources";

/** One thing that failed in a result. */
export interface Failure {
  /** Display name of the evaluation. */
  readonly evaluation: string;
  /** What failed, without turns and scores: equal ones are one issue. */
  readonly kind: string;
  /** The whole of it: title, expected, observed, why. */
  readonly text: string;
  /** Resource name of the agent that was to act; "" when nobody knows. */
  readonly agent: string;
}

/** Reads a stored conversation; undefined when it is gone. */
type FindConversation = (name: string) => Promise<Conversation | undefined>;

/** What failed in the results of a run, each with the agent that answered when it did. */
export async function failuresOf(
  results: readonly EvaluationResult[],
  app: AppTree,
  find: FindConversation,
): Promise<readonly Failure[]> {
  const names = new Map(app.evaluations.map(({ name, displayName }) => [name, displayName]));
  const failures: Failure[] = [];
  for (const result of results) {
    if (result.evaluationStatus !== Outcome.FAIL) continue;
    const name = result.name.slice(0, result.name.indexOf("/results/"));
    const evaluation = names.get(name) ?? name;
    const failed = resultChecks(result).filter(({ verdict }) => verdict === "failed");
    for (const check of failed.length > 0 ? failed : [UNTOLD]) {
      const agent = await agentOf(result, check, app, find);
      failures.push({ evaluation, kind: kindOf(check), text: textOf(check), agent });
    }
  }
  return failures;
}

const UNTOLD: TestCheck = {
  title: "result",
  verdict: "failed",
  expected: "",
  observed: "",
  explanation: "The evaluation failed.",
  span: "",
};

const TURN = /^turn (\d+)(?:: )?/;

/** `turn 2: tool call look_up_order` → `tool call look_up_order`. */
function kindOf({ title }: TestCheck): string {
  return title.replace(TURN, "").replace(/ \d+ of 4$/, "") || "turn";
}

function textOf({ title, expected, observed, explanation }: TestCheck): string {
  const values = expected || observed ? ` Expected ${expected || "nothing"}; observed ${observed || "nothing"}.` : "";
  return `${title}.${values} ${explanation}`.trim();
}

/** The agent that answered last in the turn that failed: its instruction decides what happens there. */
async function agentOf(
  { result }: EvaluationResult,
  { title }: TestCheck,
  { agents }: AppTree,
  find: FindConversation,
): Promise<string> {
  const position = Number(TURN.exec(title)?.[1] ?? 0) - 1;
  const name =
    result.case === "goldenResult"
      ? (result.value.turnReplayResults[Math.max(0, position)]?.conversation ?? "")
      : (result.value?.conversation ?? "");
  const turns = (name === "" ? undefined : await find(name))?.turns ?? [];
  // Each turn of a STABLE run is a conversation of its own.
  const turn = turns[Math.min(position < 0 ? turns.length - 1 : position, turns.length - 1)];
  const role = turn?.messages.findLast((message) => message.role !== "user")?.role;
  return agents.find(({ displayName }) => displayName === role)?.name ?? "";
}
