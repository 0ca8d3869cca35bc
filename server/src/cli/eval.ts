import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SuiteReport } from "#app";
import { definedFields } from "#base";
import { ConnectError } from "#status";
import { type Command, CommandError, type CommandInput } from "./command.ts";
import { showProgress } from "./progress-bar.ts";

/** The command itself failed, and nothing is known about the app (EVAL-33). */
const COMMAND_FAILED = 2;

/** `frontdesk eval`: proves an app package by its evaluations and test files, without a server. */
export const evaluate: Command = {
  name: "eval",
  operands: "<folder|zip> [file…]",
  summary: "run the evaluations of an app package, or test files against it, without a server",
  failureExitCode: COMMAND_FAILED,
  flags: [
    { name: "tags", value: "a,b", summary: "only cases with one of these tags" },
    { name: "runs", value: "number", summary: "how often each case runs; default 1" },
    { name: "gate", value: "file", summary: "gates that decide; default evaluation_gates.yaml of the folder" },
    { name: "allow-not-measured", summary: "exit 0 although some cases could not be measured, if none failed" },
    { name: "model", value: "name", summary: "the model of every agent, e.g. frontdesk/builtin" },
    { name: "junit", value: "file", summary: "write JUnit XML" },
    { name: "markdown", value: "file", summary: "write Markdown, for a pull request" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
  ],
  run: async (input) => {
    const [source, ...files] = input.positionals;
    if (!source) throw new CommandError("the folder or zip of the app is missing.");
    const runs = repeats(input);
    const { evaluatePackage, readConfig, readGates, readTestFile, terminalReport } = await import("#app");
    const paths = (await Promise.all(files.map(testFiles))).flat();
    const tests = paths.length === 0 ? undefined : (await Promise.all(paths.map(readText))).flatMap(readTestFile);
    const gates = await gatesOf(source, input, readGates);
    const stop = new AbortController();
    process.once("SIGINT", () => stop.abort(new CommandError("interrupted.")));
    const progress = showProgress(process.stderr);
    const config = readConfig(typeof input.flags.config === "string" ? ["--config", input.flags.config] : []);
    const report = await evaluatePackage(
      {
        source,
        tests,
        gates,
        runs,
        tags:
          text(input, "tags")
            ?.split(",")
            .map((tag) => tag.trim()) ?? [],
        signal: stop.signal,
        onProgress: progress.update,
        ...definedFields({ model: text(input, "model") }),
      },
      config,
    )
      .catch((error: unknown) => {
        throw error instanceof ConnectError ? new CommandError(error.rawMessage) : error;
      })
      .finally(progress.end);
    for (const warning of report.warnings) process.stderr.write(`warning: ${warning}\n`);
    process.stdout.write(terminalReport(report, process.stdout.isTTY === true));
    await writeReports(report, input);
    return exitCode(report, input.flags["allow-not-measured"] === true);
  },
};

/** 0: all passed. 1: some failed, or were not measured. 2: a file could not be read. Gates decide in place of the cases (EVAL-33). */
function exitCode({ cases, verdict }: SuiteReport, allowNotMeasured: boolean): number {
  if (cases.some(({ test }) => test.kind === "unreadable")) return COMMAND_FAILED;
  return verdict === "passed" || (verdict === "not-measured" && allowNotMeasured) ? 0 : 1;
}

async function writeReports(report: SuiteReport, input: CommandInput): Promise<void> {
  const { junitReport, markdownReport } = await import("#app");
  const formats = { junit: junitReport, markdown: markdownReport };
  for (const [flag, write] of Object.entries(formats)) {
    const file = text(input, flag);
    if (file === undefined) continue;
    await writeFile(file, write(report)).catch((error: Error) => {
      throw new CommandError(`the report cannot be written: ${error.message}`);
    });
  }
}

/** `--gate`, else the gates of the folder. */
async function gatesOf<Gates>(
  source: string,
  input: CommandInput,
  read: (text: string, file: string) => Gates,
): Promise<Gates | undefined> {
  const { GATES_FILE } = await import("#app");
  const file = text(input, "gate") ?? join(source, GATES_FILE);
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found === undefined && input.flags.gate) throw new CommandError(`${file} cannot be read.`);
  try {
    return found === undefined ? undefined : read(found, file);
  } catch (error) {
    throw error instanceof ConnectError ? new CommandError(error.rawMessage) : error;
  }
}

/** The extensions of test files. */
const TEST_FILE = /\.(ya?ml|json|csv|py)$/;

/** A file, or all test files below a folder in the order of their names. */
async function testFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CommandError(`${path} does not exist.`);
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TEST_FILE.test(entry.name));
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

async function readText(path: string): Promise<{ readonly path: string; readonly text: string }> {
  return { path, text: await readFile(path, "utf8") };
}

function repeats(input: CommandInput): number {
  const runs = Number(text(input, "runs") ?? "1");
  if (Number.isInteger(runs) && runs >= 1 && runs <= 100) return runs;
  throw new CommandError(`--runs is '${input.flags.runs}', which is not a number from 1 to 100.`);
}

function text({ flags }: CommandInput, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}
