import type { JsonValue } from "#base";
import { type Command, CommandError } from "./command.ts";
import { configOf } from "./flags/config-flag.ts";
import { tagsOf } from "./flags/tags-flag.ts";
import { textFlag } from "./flags/text-flag.ts";
import { formatOf, printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { hasColours } from "./output/style.ts";
import { commandErrorOf } from "./server/refusal-text.ts";

/** `frontdesk test --watch`: tests an app package while it is edited. */
export const testPackage: Command = {
  name: "test",
  operands: "<folder>",
  summary: "run the evaluations of an app package; with --watch, those that each change touches",
  failureExitCode: 2,
  flags: [
    { name: "watch", summary: "run again with each change, until it is interrupted" },
    { name: "tags", value: "a,b", summary: "only cases with one of these tags" },
    { name: "model", value: "name", summary: "the model of every agent, e.g. frontdesk/builtin" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...UNNAMED_OUTPUT_FLAGS,
  ],
  examples: ["test my-app", "test my-app --watch --tags smoke"],
  exitCodes: { 1: "a case failed, or was not measured", 2: "the input could not be run" },
  run: async ({ positionals, flags }) => {
    const [source] = positionals;
    if (!source) throw new CommandError("the folder of the app is missing.");
    const { ctrfReport, terminalReport, watchPackage } = await import("#app");
    const stop = new AbortController();
    process.once("SIGINT", () => stop.abort());
    let passed = false;
    const isTerminal = process.stdout.isTTY === true;
    const isForPeople = formatOf(flags) === "table";
    await watchPackage(
      {
        source,
        tests: undefined,
        tags: tagsOf({ flags }),
        model: textFlag(flags.model),
        signal: stop.signal,
        onReport: (report, ran) => {
          passed = report.verdict === "passed";
          if (!isForPeople) printResult(flags, { value: JSON.parse(ctrfReport(report)) as JsonValue, text: "" });
          if (flags.watch && isTerminal && isForPeople) process.stdout.write("\u001b[2J\u001b[H");
          if (isForPeople) process.stdout.write(terminalReport(report, hasColours(process.stdout)));
          if (!flags.watch) return stop.abort();
          process.stderr.write(`${ran} of ${report.cases.length} cases ran. Waiting for changes in ${source} …\n`);
        },
        onProblem: (problem) =>
          process.stderr.write(`${problem}
`),
      },
      await configOf(flags),
    ).catch((error: unknown) => {
      throw commandErrorOf(error);
    });
    return passed ? 0 : 1;
  },
};
