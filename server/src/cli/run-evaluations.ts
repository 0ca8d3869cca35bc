import { create, type JsonObject, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import {
  type Evaluation,
  EvaluationConfigSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationResult_Outcome as Outcome,
  type RunEvaluationRequestSchema,
} from "@frontdesk/protos/ces/evaluation";
import {
  EvaluationService,
  RunEvaluationOperationMetadataSchema,
  RunEvaluationResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import { EvaluationToolCallBehaviour as ToolCalls } from "@frontdesk/protos/ces/fakes";
import { idOf } from "#aip";
import { definedFields } from "#base";
import { appName } from "./app-name.ts";
import { versionName } from "./app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { continuation, type RunSubject, tellHowToContinue } from "./continued-run.ts";
import { chosenEvaluations, evaluationsOf, theOne } from "./evaluations-of-app.ts";
import { wholeNumberOf } from "./flags/limit-flag.ts";
import { textFlag } from "./flags/text-flag.ts";
import { formatOf, OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { showAsked } from "./output/progress-bar.ts";
import { columns } from "./output/text-columns.ts";
import { allPages } from "./server/all-pages.ts";
import { connectionOf } from "./server/connection.ts";
import { finished } from "./server/operation.ts";
import { callServer, clientFor } from "./server/server-client.ts";

type Evaluations = Client<typeof EvaluationService>;

/** `frontdesk run-evaluations`: runs evaluations of an app on its server, which keeps the run and its results. */
export const runEvaluations: Command = {
  name: "run-evaluations",
  operands: "<app> [evaluation …]",
  summary: "run evaluations of an app on its server, which keeps the results, and say what came of them (default: all)",
  flags: [
    { name: "tags", value: "a,b", summary: "only evaluations with one of these tags" },
    { name: "dataset", value: "name", summary: "the evaluations of a dataset, by id or display name" },
    { name: "app-version", value: "name", summary: "the version to run, by id or display name (default: the draft)" },
    { name: "runs", value: "n", summary: "each evaluation so often (default: as the app's settings say)" },
    { name: "name", value: "text", summary: "display name of the run (default: the server's)" },
    { name: "fake-tools", summary: "tools that have a fake answer by it, whatever the settings of the app say" },
    {
      name: "continue",
      value: "run",
      summary: "what an earlier run (its id, name, or `last`) did not run or could not measure, as it ran there",
    },
    { name: "failed", summary: "with --continue: what failed there, too" },
    { name: "no-wait", summary: "print the name of the run when it has begun, and do not wait for its end" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "run-evaluations order-desk",
    "run-evaluations order-desk --tags smoke --app-version returns --runs 5",
    "run-evaluations order-desk where-is-my-order --fake-tools --json",
    "run-evaluations order-desk --continue last --failed",
  ],
  exitCodes: { 1: "an evaluation failed or was not measured, or the command failed" },
  run: async (input) => {
    const [app, ...named] = input.positionals;
    if (!app) throw new CommandError("the app is missing.");
    return callServer(input, () => runAndTell(appName(app, input), named, input));
  },
};

async function runAndTell(app: string, named: readonly string[], input: CommandInput): Promise<number> {
  const client = clientFor(EvaluationService, input);
  const all = await evaluationsOf(app, client);
  const subject = (await continuation(app, named, input, client)) ?? (await subjectOf(app, named, all, input));
  const operation = await client.runEvaluation({ app, ...subject, ...settingsOf(input.flags) });
  const metadata = operation.metadata && anyUnpack(operation.metadata, RunEvaluationOperationMetadataSchema);
  const name = metadata?.evaluationRun ?? "";
  if (input.flags["no-wait"]) {
    printResult(input.flags, { value: { name, operation: operation.name }, text: `${name} runs.` });
    return 0;
  }
  const { address, wire } = connectionOf(input);
  const page = wire === "grpc" ? "" : ` It is in the console: ${new URL(`/console/${name}`, address).href}`;
  const continued = subject.continuedRun ? `${(await client.getEvaluationRun({ name })).displayName}: ` : "";
  process.stderr.write(`${continued}${name} runs; frontdesk operations cancel ${operation.name} ends it.${page}\n`);
  const { evaluationRun } = await finished(operation, RunEvaluationResponseSchema, input, () =>
    showAsked(() => casesOf(name, client), process.stderr),
  );
  const run = await client.getEvaluationRun({ name: evaluationRun || name });
  const reasons =
    formatOf(input.flags) === "table" ? await reasonsOf(run, client) : new Map<string, readonly string[]>();
  printResult(input.flags, {
    value: toJson(EvaluationRunSchema, run) as JsonObject,
    text: () => report(run, all, reasons),
  });
  tellHowToContinue(run, app);
  const { totalCount = 0, passedCount = 0 } = run.progress ?? {};
  return totalCount > 0 && passedCount === totalCount ? 0 : 1;
}

/** How many cases of a run are done, and of how many. */
async function casesOf(name: string, client: Evaluations): Promise<readonly [number, number]> {
  const { progress } = await client.getEvaluationRun({ name });
  return [progress?.completedCount ?? 0, progress?.totalCount ?? 0];
}

/** What the command line wants to run, with resource names in place of ids and display names. */
async function subjectOf(
  app: string,
  named: readonly string[],
  all: readonly Evaluation[],
  input: CommandInput,
): Promise<RunSubject> {
  const { flags } = input;
  if (flags.dataset !== undefined && (flags.tags !== undefined || named.length > 0))
    throw new CommandError("--dataset says which evaluations run: name none, and leave --tags out.");
  const dataset = typeof flags.dataset === "string" ? await datasetName(app, flags.dataset, input) : "";
  const version = flags["app-version"];
  return {
    evaluations: dataset !== "" ? [] : chosenEvaluations(app, named, all, input),
    evaluationDataset: dataset,
    appVersion: typeof version === "string" ? await versionName(app, version, input) : "",
  };
}

/** How often the evaluations run and with which tools, and what the run is called. */
function settingsOf(flags: CommandInput["flags"]): MessageInitShape<typeof RunEvaluationRequestSchema> {
  return {
    displayName: textFlag(flags.name) ?? "",
    generateLatencyReport: true,
    ...definedFields({ runCount: wholeNumberOf(flags, "runs") }),
    ...(flags["fake-tools"] === true && {
      config: create(EvaluationConfigSchema, { toolCallBehaviour: ToolCalls.FAKE }),
    }),
  };
}

async function datasetName(app: string, wanted: string, input: Pick<CommandInput, "flags">): Promise<string> {
  const client = clientFor(EvaluationService, input);
  const all = await allPages(async (pageToken) => {
    const page = await client.listEvaluationDatasets({ parent: app, pageSize: 1_000, pageToken });
    return { items: page.evaluationDatasets, nextPageToken: page.nextPageToken };
  });
  return theOne(wanted, all, "dataset").name;
}

/** The evaluations that did not pass, with the reasons that are known, and how many did. */
function report(
  run: EvaluationRun,
  all: readonly Evaluation[],
  reasons: ReadonlyMap<string, readonly string[]>,
): string {
  const titles = new Map(all.map(({ name, displayName }) => [name, displayName]));
  const faults = notPassed(run);
  const rows = columns(
    faults.map(([name, { passedCount, failedCount, errorCount }]) => [
      titles.get(name) ?? idOf(name),
      `${passedCount} passed`,
      `${failedCount} failed`,
      `${errorCount} not measured`,
    ]),
  );
  const lines = rows.flatMap((row, at) => [
    row,
    ...(reasons.get(faults[at]?.[0] ?? "") ?? []).flatMap((line) => line.split("\n")).map((line) => `    ${line}`),
  ]);
  const { totalCount = 0, passedCount = 0 } = run.progress ?? {};
  return [...lines, `${passedCount} of ${totalCount} passed.`].join("\n");
}

function notPassed({ evaluationRunSummaries }: EvaluationRun) {
  return Object.entries(evaluationRunSummaries).filter(
    ([, { failedCount, errorCount }]) => failedCount + errorCount > 0,
  );
}

/** Of how many evaluations that did not pass the reasons are told; the console has all of them. */
const MOST_REASONS = 20;

/** Why the first attempt that failed, else that was not measured, did not pass, by the evaluation. */
async function reasonsOf(run: EvaluationRun, client: Evaluations): Promise<ReadonlyMap<string, readonly string[]>> {
  const { resultReasons } = await import("#app");
  const reasons = new Map<string, readonly string[]>();
  for (const [evaluation, { failedCount }] of notPassed(run).slice(0, MOST_REASONS)) {
    const wanted = failedCount > 0 ? Outcome.FAIL : Outcome.SKIPPED;
    for (const name of run.evaluationResults.filter((result) => result.startsWith(`${evaluation}/results/`))) {
      const result = await client.getEvaluationResult({ name });
      if (result.evaluationStatus !== wanted) continue;
      reasons.set(evaluation, resultReasons(result));
      break;
    }
  }
  return reasons;
}
