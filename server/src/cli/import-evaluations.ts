import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import {
  EvaluationService,
  ImportEvaluationsResponseSchema,
  ImportEvaluationsRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/evaluation_service";
import { appName } from "./app-name.ts";
import { STREAM } from "./app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { fileErrorReason } from "./file-error.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { say } from "./output/say.ts";
import { finished } from "./server/operation.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** What happens to an evaluation that the app has already, by the word of `--existing`. */
const STRATEGIES: Readonly<Record<string, Strategy>> = {
  refuse: Strategy.CONFLICT_RESOLUTION_STRATEGY_UNSPECIFIED,
  overwrite: Strategy.OVERWRITE,
  skip: Strategy.SKIP,
  duplicate: Strategy.DUPLICATE,
};

/** `frontdesk import-evaluations`: a table of goldens, or a file of an export, into an app on a server. */
export const importEvaluations: Command = {
  name: "import-evaluations",
  operands: "<app> <file|->",
  summary: "import evaluations into an app: a CSV table of goldens, or the JSON or YAML of an export",
  flags: [
    {
      name: "existing",
      value: "what",
      summary: "what to do with evaluations that the app has: refuse (default), overwrite, skip or duplicate",
    },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["import-evaluations order-desk goldens.csv", "import-evaluations order-desk goldens.json --existing skip"],
  exitCodes: { 1: "an evaluation could not be imported, or the command failed" },
  run: async (input) => {
    const [app, file] = input.positionals;
    if (!app || !file) throw new CommandError("the app or the file is missing; - is standard input.");
    const conflictResolutionStrategy = strategyOf(input);
    const csvContent = await contentOf(file);
    const response = await callServer(input, async () => {
      const operation = await clientFor(EvaluationService, input).importEvaluations({
        parent: appName(app, input),
        source: { case: "csvContent", value: csvContent },
        importOptions: { conflictResolutionStrategy },
      });
      return finished(operation, ImportEvaluationsResponseSchema, input);
    });
    const { evaluations, evaluationResults, evaluationRuns, errorMessages } = response;
    for (const message of errorMessages) say(`${file}: ${message}\n`, process.stderr);
    const failures =
      response.importFailureCount +
      response.evaluationResultImportFailureCount +
      response.evaluationRunImportFailureCount;
    const counts = [
      counted(evaluations.length, "evaluation"),
      ...(evaluationResults.length > 0 ? [counted(evaluationResults.length, "result")] : []),
      ...(evaluationRuns.length > 0 ? [counted(evaluationRuns.length, "run")] : []),
    ];
    printResult(input.flags, {
      value: { evaluations: evaluations.map(({ name }) => name), failures, errorMessages },
      text: `imported ${counts.join(", ")}${failures > 0 ? `; ${failures} could not be` : ""}`,
    });
    return failures > 0 ? 1 : 0;
  },
};

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

function strategyOf({ flags: { existing = "refuse" } }: CommandInput): Strategy {
  const strategy = Object.hasOwn(STRATEGIES, String(existing)) ? STRATEGIES[String(existing)] : undefined;
  if (strategy !== undefined) return strategy;
  throw new CommandError(`--existing cannot be '${existing}': use ${Object.keys(STRATEGIES).join(", ")}.`);
}

async function contentOf(file: string): Promise<Uint8Array> {
  try {
    return await (file === STREAM ? buffer(process.stdin) : readFile(file));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${fileErrorReason(error as Error) ?? (error as Error).message}.`);
  }
}
