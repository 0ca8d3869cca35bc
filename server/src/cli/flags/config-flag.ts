import type { Config } from "#app";
import type { CommandInput } from "../command.ts";

/** The configuration of a command that runs without a server: of `--config`, else of the usual places. */
export async function configOf({ config }: CommandInput["flags"]): Promise<Config> {
  // Loaded with the command that runs: the server takes long to load.
  const { readConfig } = await import("#app");
  return readConfig(typeof config === "string" ? ["--config", config] : []);
}
