import type { Command } from "./command.ts";
import { startErrorOf } from "./start-error.ts";

/** `frontdesk migrate`: brings the schema of the database to this release, without starting a server. */
export const migrate: Command = {
  name: "migrate",
  operands: "",
  summary:
    "migrate the schema of the database (FRONTDESK_DATABASE_URL), while servers of this and the last release run",
  flags: [{ name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" }],
  run: async ({ flags }) => {
    const { migrateDatabase, readConfig } = await import("#app");
    try {
      const config = readConfig(typeof flags.config === "string" ? ["--config", flags.config] : []);
      process.stdout.write(`${await migrateDatabase(config)}\n`);
      return 0;
    } catch (error) {
      throw await startErrorOf(error);
    }
  },
};
