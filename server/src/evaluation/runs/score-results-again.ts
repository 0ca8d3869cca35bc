import { type EvaluationResult, EvaluationResult_Outcome as Outcome } from "@frontdesk/protos/ces/evaluation";
import { inParallel } from "#base";
import { Code, ConnectError, invalidArgument, notFound } from "#status";
import type { EvaluatedApp, EvaluatedSnapshot, EvaluationCase } from "../contract.ts";
import { AnswerCache } from "../replay/answer-cache.ts";
import { caseReader } from "./case-reader.ts";
import type { RunDeps } from "./execute-run.ts";
import { conversationsOf } from "./result-conversations.ts";
import { evaluationOf } from "./run-progress.ts";
import { type StoredTurns, scoreAgain } from "./score-again.ts";

/** Results that are read and stored at once. */
const BATCH = 100;

/**
 * Scores results again (EVAL-26): the one of a name, or all of an evaluation (`…/results/-`) or of an app (`…/evaluations/-/results/-`).
 * Of several, those without conversations stay as they are, and the status is FAIL when one failed, else SKIPPED when one was not measured or
 * could not be scored. NOT_FOUND when there is no result, or when its evaluation was deleted.
 */
export async function scoreResultsAgain(name: string, deps: RunDeps, signal: AbortSignal): Promise<Outcome> {
  const [, app = "", evaluation = "", id = ""] = /^(.*)\/evaluations\/([^/]+)\/results\/([^/]+)$/.exec(name) ?? [];
  if (evaluation === "-" && id !== "-") {
    const description = "Name the evaluation of the result, or all results: evaluations/-/results/-.";
    throw invalidArgument({ field: "evaluation_result_id", description });
  }
  const evaluated = await deps.resources.read(app);
  if (id === "-") {
    return scoreAll(`${app}/evaluations/${evaluation}`, casesOf(evaluated, deps, signal), deps, signal);
  }
  const [result] = await deps.resources.results([name]);
  if (!result) throw notFound(name, RESULT_TYPE);
  // An app can have thousands of evaluations, and this is about one.
  const evaluations = evaluated.evaluations.filter((own) => own.name === evaluationOf(name));
  const stored = await deps.resources.turnsOf(conversationsOf(result));
  const scored = await scoreOne(result, stored, casesOf({ ...evaluated, evaluations }, deps, signal), deps);
  await deps.resources.replace(scored);
  return scored.evaluationStatus;
}

const RESULT_TYPE = "ces.googleapis.com/EvaluationResult";

type CaseOf = (result: EvaluationResult) => Promise<EvaluationCase | undefined>;

/** The cases of an app's results, each against the version that it ran against. */
function casesOf(evaluated: EvaluatedApp, { resources, ids }: RunDeps, signal: AbortSignal): CaseOf {
  const readers = new Map<string, Promise<ReturnType<typeof caseReader>>>();
  const readerOf = async (appVersion: string) => {
    const snapshot: EvaluatedSnapshot = await resources.snapshot(evaluated.app.name, appVersion);
    return caseReader(evaluated, snapshot, signal, ids);
  };
  return async (result) => {
    const reader = readers.get(result.appVersion) ?? readerOf(result.appVersion);
    readers.set(result.appVersion, reader);
    return (await reader)(result, new AnswerCache());
  };
}

async function scoreOne(
  result: EvaluationResult,
  stored: StoredTurns,
  caseOf: CaseOf,
  deps: RunDeps,
): Promise<EvaluationResult> {
  const evaluationCase = await caseOf(result);
  if (!evaluationCase) throw notFound(evaluationOf(result.name), "ces.googleapis.com/Evaluation");
  return { ...result, ...(await scoreAgain(result, evaluationCase, stored, deps)) };
}

async function scoreAll(parent: string, caseOf: CaseOf, deps: RunDeps, signal: AbortSignal): Promise<Outcome> {
  const { resources, concurrency } = deps;
  const names = await resources.resultNames(parent);
  const found = new Set<Outcome>();
  for (let start = 0; start < names.length; start += BATCH) {
    const results = await resources.results(names.slice(start, start + BATCH));
    const stored = await resources.turnsOf(results.flatMap(conversationsOf));
    const scored: EvaluationResult[] = [];
    const measured = results.filter(({ result }) => result.case !== undefined);
    await inParallel(measured, concurrency, signal, async (result) => {
      const again = await scoreOne(result, stored, caseOf, deps).catch(unlessUnscorable);
      if (again) scored.push(again);
      found.add(again?.evaluationStatus ?? Outcome.SKIPPED);
    });
    await resources.replace(...scored);
  }
  if (found.size === 0) throw notFound(`${parent}/results/-`, RESULT_TYPE);
  return [Outcome.FAIL, Outcome.SKIPPED].find((outcome) => found.has(outcome)) ?? Outcome.PASS;
}

/** A result whose conversation, evaluation or version is gone, or whose evaluation has other turns by now. */
function unlessUnscorable(error: unknown): undefined {
  const isUnscorable = error instanceof ConnectError && [Code.NotFound, Code.FailedPrecondition].includes(error.code);
  if (!isUnscorable) throw error;
}
