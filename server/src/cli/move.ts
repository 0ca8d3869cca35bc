import { type Command, CommandError } from "./command.ts";
import { OUTPUT_FLAGS, printResult } from "./print-result.ts";
import { startErrorOf } from "./start-error.ts";

/** `frontdesk move`: copies everything from the data folder into the database, or back. */
export const move: Command = {
  name: "move",
  operands: "to-database|to-folder",
  words: ["to-database", "to-folder"],
  summary: "copy everything between the data folder and FRONTDESK_DATABASE_URL, while no server runs on either",
  flags: [
    { name: "data", value: "folder", summary: "data folder (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...OUTPUT_FLAGS,
  ],
  examples: ["move to-database", "move to-folder --data .frontdesk"],
  run: async ({ flags, positionals }) => {
    const [direction] = positionals;
    if (direction !== "to-database" && direction !== "to-folder")
      throw new CommandError("say where to: frontdesk move to-database, or frontdesk move to-folder.");
    const { moveData, readConfig } = await import("#app");
    const args = ["data", "config"].flatMap((name) => (flags[name] ? [`--${name}`, String(flags[name])] : []));
    try {
      const say = (line: string) => process.stderr.write(`${line}\n`);
      const { tables } = await moveData(readConfig(args), direction, say);
      const lines = tables.map(({ name, rows, sha256 }) => `${name}: ${rows} rows, SHA-256 ${sha256}`);
      printResult(flags, {
        value: tables.map(({ name, rows, sha256 }) => ({ name, rows, sha256 })),
        text: [...lines, "Both ends have the same rows."].join("\n"),
      });
      return 0;
    } catch (error) {
      throw await startErrorOf(error);
    }
  },
};
