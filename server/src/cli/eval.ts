import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AppPackage, DataAgentEvaluation, GatesFile, SuiteReport, TestFile } from "#app";
import { definedFields, ifThere, type JsonValue } from "#base";
import { packageAt, packageOnServer } from "./app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { fileCache } from "./file-cache.ts";
import { parseBudget } from "./flags/budget-flag.ts";
import { tagsOf } from "./flags/tags-flag.ts";
import { textFlag } from "./flags/text-flag.ts";
import { formatOf, printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { showProgress } from "./output/progress-bar.ts";
import { say, warn } from "./output/say.ts";
import { hasColours } from "./output/style.ts";
import { commandErrorOf } from "./server/refusal-text.ts";
import { interruption } from "./stop-signal.ts";
import { checkWritable } from "./writable-file.ts";

/** The command itself failed, and nothing is known about the app (EVAL-33). */
const COMMAND_FAILED = 2;

/** The flags that name files for reports. */
const REPORTS = ["junit", "ctrf", "markdown", "html"] as const;

/** `frontdesk eval`: proves an app package by its evaluations and test files, without a server. */
export const evaluate: Command = {
  name: "eval",
  operands: "<folder|zip|app|data agent> [file…]",
  summary:
    "run the evaluations of an app package, test files against it, or questions to a data agent, without a server",
  failureExitCode: COMMAND_FAILED,
  flags: [
    { name: "tags", value: "a,b", summary: "only cases with one of these tags" },
    { name: "runs", value: "number", summary: "how often each case runs; default 1" },
    { name: "gate", value: "file", summary: "gates that decide; default evaluation_gates.yaml of the folder" },
    {
      name: "against",
      value: "version",
      summary: "a version of the app, or a folder: no case may be worse than there by more than chance",
    },
    { name: "replay", summary: "keep answers of models and tools in the data folder, and ask again only what changed" },
    {
      name: "budget",
      value: "limits",
      summary:
        "what the run may use, e.g. calls=500,tokens=1000000,dollars=2,minutes=10; what is left over is not measured",
    },
    { name: "allow-not-measured", summary: "exit 0 although some cases could not be measured, if none failed" },
    { name: "model", value: "name", summary: "the model of every agent, e.g. frontdesk/builtin" },
    { name: "fake-tools", summary: "tools that have a fake answer by it, whatever the settings of the app say" },
    { name: "junit", value: "file", summary: "write JUnit XML" },
    { name: "ctrf", value: "file", summary: "write CTRF JSON" },
    { name: "markdown", value: "file", summary: "write Markdown, for a pull request" },
    { name: "html", value: "file", summary: "write one HTML file" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...UNNAMED_OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "eval my-app",
    "eval my-app tests --tags smoke --runs 3",
    "eval order-desk --against v1 --markdown report.md",
    "eval examples/shop/agent.yaml examples/shop/tests",
  ],
  exitCodes: {
    1: "a case failed, was not measured, or a gate is closed",
    2: "the input could not be run, or the run was interrupted",
  },
  run: async (input) => {
    const [source, ...files] = input.positionals;
    if (!source) throw new CommandError("the folder, zip or app is missing.");
    const runs = repeats(input);
    const budget = parseBudget(textFlag(input.flags.budget));
    for (const flag of REPORTS) {
      const file = textFlag(input.flags[flag]);
      if (file !== undefined) await checkWritable(file);
    }
    const { evaluatePackage, readConfig, readGates, readTestFile } = await import("#app");
    const paths = (await Promise.all(files.map(testFiles))).flat();
    const agent = await dataAgentFile(source);
    if (agent) return evaluateQuestions(agent, paths, { runs, budget }, input);
    const read = await Promise.all(paths.map(async (path) => readTestFile(await readText(path))));
    for (const warning of read.flatMap(({ warnings }) => warnings)) warn(warning);
    const tests = paths.length === 0 ? undefined : read.flatMap(({ tests }) => tests);
    const gates = await gatesOf(source, runs, input, readGates);
    const timed = gates?.gates.find(({ within }) => within !== undefined);
    if (input.flags.replay && timed)
      throw new CommandError(
        `the gate '${timed.name}' measures time, and answers that --replay keeps take none: run it without --replay.`,
      );
    const app = (await packageAt(source)) ?? (await remotePackage(source, input));
    const baselines = await baselinesOf(source, gates, input);
    using interrupted = interruption();
    const progress = showProgress(process.stderr);
    const config = readConfig(typeof input.flags.config === "string" ? ["--config", input.flags.config] : []);
    const report = await evaluatePackage(
      {
        app,
        baselines,
        tests,
        gates,
        budget,
        runs,
        tags: tagsOf(input),
        useToolFakes: input.flags["fake-tools"] === true,
        signal: interrupted.signal,
        onProgress: progress.update,
        ...definedFields({
          model: textFlag(input.flags.model),
          kept: input.flags.replay ? fileCache(join(config.dataDir, "evaluation-answers")) : undefined,
        }),
      },
      config,
    )
      .catch((error: unknown) => {
        throw commandErrorOf(error);
      })
      .finally(progress.end);
    return printReport(report, interrupted.signal, input);
  },
};

/** Tells a run in every form that was asked for; the exit code. One that was interrupted is told as far as it came, and is a command that failed. */
async function printReport(report: SuiteReport, interrupted: AbortSignal, input: CommandInput): Promise<number> {
  const { ctrfReport, terminalReport } = await import("#app");
  for (const warning of report.warnings) warn(warning);
  if (formatOf(input.flags) === "table") say(terminalReport(report, hasColours(process.stdout)));
  else printResult(input.flags, { value: JSON.parse(ctrfReport(report)) as JsonValue, text: "" });
  await writeReports(report, input);
  if (interrupted.aborted) throw new CommandError("interrupted; what had no verdict by then is not measured.");
  return exitCode(report, input.flags["allow-not-measured"] === true);
}

/** Asks a data agent the questions of suites. Other versions and kept answers are for apps. */
async function evaluateQuestions(
  agent: TestFile,
  paths: readonly string[],
  { runs, budget }: Pick<DataAgentEvaluation, "runs" | "budget">,
  input: CommandInput,
): Promise<number> {
  for (const flag of ["against", "replay", "fake-tools"])
    if (input.flags[flag]) throw new CommandError(`--${flag} is for app packages; ${agent.path} is a data agent.`);
  if (paths.length === 0)
    throw new CommandError("name a suite of questions behind the data agent, or a folder of suites.");
  const { evaluateDataAgent, readConfig, readGates } = await import("#app");
  const gates = await gatesOf(dirname(agent.path), runs, input, readGates);
  using interrupted = interruption();
  const progress = showProgress(process.stderr);
  const suites = await Promise.all(paths.map(readText));
  const config = readConfig(typeof input.flags.config === "string" ? ["--config", input.flags.config] : []);
  const request = {
    ...{
      agent,
      suites,
      runs,
      budget,
      gates,
      tags: tagsOf(input),
      signal: interrupted.signal,
      onProgress: progress.update,
    },
    ...definedFields({ model: textFlag(input.flags.model) }),
  };
  const report = await evaluateDataAgent(request, config)
    .catch((error: unknown) => {
      throw commandErrorOf(error);
    })
    .finally(progress.end);
  return printReport(report, interrupted.signal, input);
}

/** The file of a data agent; undefined for anything else, such as an app. */
async function dataAgentFile(path: string): Promise<TestFile | undefined> {
  const found = await ifThere(stat(path));
  if (!found || found.isDirectory()) return undefined;
  const { isDataAgentFile } = await import("#app");
  const file = { path, text: await readFile(path, "utf8") };
  return isDataAgentFile(file) ? file : undefined;
}

/** 0: all passed. 1: some failed, or were not measured. 2: a file could not be read. Gates decide in place of the cases (EVAL-33). */
function exitCode({ cases, verdict }: SuiteReport, allowNotMeasured: boolean): number {
  if (cases.some(({ test }) => test.kind === "unreadable")) return COMMAND_FAILED;
  return verdict === "passed" || (verdict === "not-measured" && allowNotMeasured) ? 0 : 1;
}

async function writeReports(report: SuiteReport, input: CommandInput): Promise<void> {
  const { ctrfReport, htmlReport, junitReport, markdownReport } = await import("#app");
  const formats = { junit: junitReport, ctrf: ctrfReport, markdown: markdownReport, html: htmlReport };
  for (const flag of REPORTS) {
    const file = textFlag(input.flags[flag]);
    if (file === undefined) continue;
    await writeFile(file, formats[flag](report)).catch((error: Error) => {
      throw new CommandError(`the report cannot be written: ${error.message}`);
    });
  }
}

/** `--gate`, else the gates of the folder; and a gate for `--against`, beside which all cases must pass where no file decides. */
async function gatesOf(
  source: string,
  runs: number,
  input: CommandInput,
  read: (text: string, file: string) => GatesFile,
): Promise<GatesFile | undefined> {
  const { GATES_FILE } = await import("#app");
  const file = textFlag(input.flags.gate) ?? join(source, GATES_FILE);
  const found = await ifThere(readFile(file, "utf8"));
  if (found === undefined && input.flags.gate) throw new CommandError(`${file} does not exist.`);
  const against = textFlag(input.flags.against);
  const compared = against === undefined ? [] : [{ name: `no drop against ${against}`, against }];
  try {
    const given = found === undefined ? { gates: allPass(against, runs), setAside: [] } : read(found, file);
    const gates = [...given.gates, ...compared];
    return gates.length === 0 ? undefined : { ...given, gates };
  } catch (error) {
    throw commandErrorOf(error);
  }
}

function allPass(against: string | undefined, runs: number): GatesFile["gates"] {
  return against === undefined ? [] : [{ name: "all cases pass", passAll: runs }];
}

/** An app on a server. What looks like a path is none. */
async function remotePackage(source: string, input: CommandInput): Promise<AppPackage> {
  if (!/^projects\/|^[a-z][a-z0-9-]*$/.test(source)) throw new CommandError(`${source} does not exist.`);
  try {
    return await packageOnServer(source, undefined, input);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`there is no folder or zip '${source}', and it is no app on the server: ${error.message}`);
  }
}

/** The versions that gates compare with: folders and zips (beside the gates file, too), or versions of an app on a server. */
async function baselinesOf(
  source: string,
  gates: GatesFile | undefined,
  input: CommandInput,
): Promise<ReadonlyMap<string, AppPackage>> {
  const names = new Set((gates?.gates ?? []).flatMap(({ against }) => against ?? []));
  const beside = dirname(textFlag(input.flags.gate) ?? join(source, "gates"));
  const isLocal = (await ifThere(stat(source))) !== undefined;
  const found = new Map<string, AppPackage>();
  for (const name of names) {
    const local = (await packageAt(name)) ?? (await packageAt(join(beside, name)));
    if (!local && isLocal)
      throw new CommandError(
        `'${name}' does not exist. Name a folder or zip; versions are known only for an app on a server.`,
      );
    found.set(name, local ?? (await packageOnServer(source, name, input)));
  }
  return found;
}

/** Test files of a folder, by name: Python only where pytest would find tests. */
const TEST_FILE = /\.(ya?ml|json|csv)$|^(test|test_.*|.*_test)\.py$/;

/** A file, or all test files below a folder in the order of their names. */
async function testFiles(path: string): Promise<readonly string[]> {
  const found = await ifThere(stat(path));
  if (!found) throw new CommandError(`${path} does not exist.`);
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TEST_FILE.test(entry.name));
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

/** A test file; a Python test with the callback beside it. */
async function readText(path: string): Promise<TestFile> {
  const { fileText } = await import("#app");
  const read = fileText(await readFile(path));
  if ("problem" in read) return { path, text: "", problem: read.problem };
  const { text } = read;
  if (!path.endsWith(".py")) return { path, text };
  const callback = await ifThere(readFile(join(dirname(path), "python_code.py"), "utf8"));
  return { path, text, callback };
}

function repeats(input: CommandInput): number {
  const runs = Number(textFlag(input.flags.runs) ?? "1");
  if (Number.isInteger(runs) && runs >= 1 && runs <= 100) return runs;
  throw new CommandError(`--runs is '${input.flags.runs}', which is not a number from 1 to 100.`);
}
