import type { Command } from "./command.ts";
import { configOf } from "./flags/config-flag.ts";
import { printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { startErrorOf } from "./start-error.ts";

/** `frontdesk migrate`: brings the schema of the database to this release, without starting a server. */
export const migrate: Command = {
  name: "migrate",
  operands: "",
  summary:
    "migrate the schema of the database (FRONTDESK_DATABASE_URL), while servers of this and the last release run",
  flags: [
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...UNNAMED_OUTPUT_FLAGS,
  ],
  examples: ["migrate", "migrate --config frontdesk.yaml"],
  run: async ({ flags }) => {
    const { migrateDatabase } = await import("#app");
    try {
      const config = await configOf(flags);
      const text = await migrateDatabase(config);
      printResult(flags, { value: { result: text }, text });
      return 0;
    } catch (error) {
      throw await startErrorOf(error);
    }
  },
};
