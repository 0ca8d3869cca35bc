import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { LintResult } from "#app";
import { ifThere, type JsonValue } from "#base";
import { readZip, STREAM } from "./app-package.ts";
import { type Command, CommandError, type CommandInput } from "./command.ts";
import { formatOf, printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { say, warn } from "./output/say.ts";
import { commandErrorOf } from "./server/refusal-text.ts";

const FORMATS = ["text", "json", "sarif"] as const;

/** `frontdesk lint`: checks an app in a folder or zip, without a server (LINT-1). */
export const lint: Command = {
  name: "lint",
  operands: "<folder|zip|->",
  summary: "check an app package by the rules of import, validation and the toolkit's linter",
  flags: [
    { name: "fix", summary: "mend what is certain, in the folder" },
    { name: "format", value: "text|json|sarif", values: FORMATS, summary: "form of the findings (default: text)" },
    { name: "config", value: "file", summary: "settings in place of the folder's cxaslint.yaml" },
    { name: "strict", summary: "warnings fail the run, too" },
    ...UNNAMED_OUTPUT_FLAGS,
  ],
  examples: ["lint my-app", "lint my-app --fix", "lint my-app --strict --format sarif"],
  exitCodes: { 1: "the app has errors; with --strict, or warnings", 2: "the input could not be checked" },
  // 1 means errors in the app.
  failureExitCode: 2,
  run: async (input) => {
    try {
      return await run(input);
    } catch (error) {
      throw commandErrorOf(error);
    }
  },
};

async function run({ positionals, flags }: CommandInput): Promise<number> {
  const [source, ...more] = positionals;
  if (!source || more.length > 0) throw new CommandError("name one folder or zip to lint.");
  const format = FORMATS.find((name) => name === (flags.format ?? "text"));
  if (!format) throw new CommandError(`--format is none of ${FORMATS.join(", ")}.`);
  const found = source === STREAM ? undefined : await ifThere(stat(source));
  if (!found && source !== STREAM) throw new CommandError(`${source} does not exist.`);
  const configFile = typeof flags.config === "string" ? { configFile: flags.config } : {};
  const result = found?.isDirectory()
    ? shownFrom(source, await lintFolder({ folder: source, fix: flags.fix === true, ...configFile }))
    : await lintZip(source, configFile, flags.fix === true);
  for (const warning of result.warnings) warn(warning);
  if (formatOf(flags) === "table") say(`${await report(result, format)}\n`);
  else printResult(flags, { value: JSON.parse(await report(result, "json")) as JsonValue, text: "" });
  const failing = flags.strict ? ["error", "warning"] : ["error"];
  return result.findings.some(({ severity }) => failing.includes(severity)) ? 1 : 0;
}

async function lintFolder(request: Parameters<typeof import("#app").lintApp>[0]): Promise<LintResult> {
  const { lintApp, readConfig } = await import("#app");
  return lintApp(request, readConfig([]));
}

/** Lints the files of a zip; paths of findings are those in its top-level folder. */
async function lintZip(path: string, options: { readonly configFile?: string }, fix: boolean): Promise<LintResult> {
  if (fix) throw new CommandError("--fix needs a folder; unpack the zip first.");
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-lint-"));
  try {
    const { unpackToFolder } = await import("#app");
    await unpackToFolder(await readZip(path), folder);
    return await lintFolder({ folder, ...options });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Findings with paths from the current folder, so that terminals and code hosts find the files. */
function shownFrom(folder: string, result: LintResult): LintResult {
  const findings = result.findings.map((finding) => ({
    ...finding,
    file: relative(process.cwd(), join(folder, finding.file)).replaceAll("\\", "/"),
  }));
  return { ...result, findings };
}

async function report(result: LintResult, format: (typeof FORMATS)[number]): Promise<string> {
  const { jsonReport, sarifReport, textReport, VERSION } = await import("#app");
  if (format === "text") return textReport(result);
  return format === "json" ? jsonReport(result) : sarifReport(result, VERSION);
}
