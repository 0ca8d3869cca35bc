import type { Command } from "./command.ts";
import { COMMAND_GROUPS, COMMANDS } from "./commands.ts";
import { resourceCommands } from "./resources/resource-commands.ts";

/** The commands, one a line. */
export function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const rows = (commands: readonly Command[]) =>
    commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "Frontdesk, the open engine for customer-engagement agents.",
    "",
    ...COMMAND_GROUPS.flatMap(({ title, commands }) => [`${title}:`, ...rows(commands), ""]),
    "Resources: list, get, create, update and delete them, e.g. frontdesk agents list --app order-desk",
    ...rows(resourceCommands),
    "",
    "Run frontdesk help <command> for the flags and examples of a command, and frontdesk version for the version.",
  ].join("\n");
}
