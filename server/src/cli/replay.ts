import { existsSync } from "node:fs";
import { ConnectError } from "#status";
import { type Command, CommandError } from "./command.ts";
import { report } from "./difference-report.ts";

/** `frontdesk replay`: a recorded conversation once more, without network; exit code 1 when it goes otherwise. */
export const replayRecording: Command = {
  name: "replay",
  operands: "<file>",
  summary: "hold a recorded conversation again without network, and show where it goes otherwise",
  flags: [
    { name: "app", value: "folder", summary: "an app package to run instead of the recorded app" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
  ],
  run: async ({ positionals, flags }) => {
    const [file] = positionals;
    if (!file) throw new CommandError("name the recording: a file that a server started with --record has written.");
    for (const path of [file, flags.app]) {
      if (typeof path === "string" && !existsSync(path)) throw new CommandError(`${path} does not exist.`);
    }
    const { readConfig, replay } = await import("#app");
    const config = readConfig(typeof flags.config === "string" ? ["--config", flags.config] : []);
    const request = { file, ...(typeof flags.app === "string" && { app: flags.app }) };
    const { turns, difference } = await replay(request, config).catch((error: unknown) => {
      throw error instanceof ConnectError ? new CommandError(error.rawMessage) : error;
    });
    process.stdout.write(difference ? report(difference) : `${turns} turns went as recorded\n`);
    return difference ? 1 : 0;
  },
};
