import { existsSync } from "node:fs";
import { type Command, CommandError } from "./command.ts";
import { configOf } from "./flags/config-flag.ts";
import { report } from "./output/difference-report.ts";
import { printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { commandErrorOf } from "./server/refusal-text.ts";

/** `frontdesk replay`: replays a recording without network; exit code 1 when the replay differs. */
export const replayRecording: Command = {
  name: "replay",
  operands: "<file>",
  summary: "replay a recorded conversation without network, and show the first difference",
  flags: [
    { name: "app", value: "folder", summary: "an app package to run instead of the recorded app" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...UNNAMED_OUTPUT_FLAGS,
  ],
  examples: ["replay hello.yaml", "replay hello.yaml --app my-app"],
  exitCodes: { 1: "the replay differs, or the command failed" },
  run: async ({ positionals, flags }) => {
    const [file] = positionals;
    if (!file)
      throw new CommandError("the recording is missing: a file written by a server that was started with --record.");
    for (const path of [file, flags.app]) {
      if (typeof path === "string" && !existsSync(path)) throw new CommandError(`${path} does not exist.`);
    }
    const { replay } = await import("#app");
    const config = await configOf(flags);
    const request = { file, ...(typeof flags.app === "string" && { app: flags.app }) };
    const { turns, difference } = await replay(request, config).catch((error: unknown) => {
      throw commandErrorOf(error);
    });
    printResult(flags, {
      value: { file, turns, difference: difference ? { ...difference } : null },
      text: difference ? report(difference).trimEnd() : `${turns} turns replayed as recorded`,
    });
    return difference ? 1 : 0;
  },
};
