import { type Command, CommandError } from "./command.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { startErrorOf } from "./start-error.ts";

const DIRECTIONS = ["to-database", "to-folder", "to-bucket", "from-bucket"] as const;

/** `frontdesk move`: copies everything from the data folder into the database, or back, and blobs into the bucket, or back. */
export const move: Command = {
  name: "move",
  operands: DIRECTIONS.join("|"),
  words: DIRECTIONS,
  summary:
    "copy everything between the data folder and FRONTDESK_DATABASE_URL, or files into FRONTDESK_S3_BUCKET, while no server runs",
  flags: [
    { name: "data", value: "folder", summary: "data folder (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...OUTPUT_FLAGS,
  ],
  examples: ["move to-database", "move to-folder --data .frontdesk", "move to-bucket"],
  run: async ({ flags, positionals }) => {
    const direction = DIRECTIONS.find((word) => word === positionals[0]);
    if (!direction) throw new CommandError(`say where to: frontdesk move ${DIRECTIONS.join("|")}.`);
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
