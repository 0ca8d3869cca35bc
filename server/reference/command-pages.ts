import { type Command, exitCodesOf } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { cell, code, paragraphs, type ReferencePage, table } from "./markdown.ts";

/** A page for each command, from the table that its command line is parsed by. */
export function commandPages(): readonly ReferencePage[] {
  return COMMANDS.map((command) => ({
    path: `reference/commands/${command.name}`,
    title: command.name,
    text: commandPage(command),
  }));
}

function commandPage(command: Command): string {
  const { name, operands, words, summary, flags, examples } = command;
  const shown = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return paragraphs(
    `# frontdesk ${name}`,
    cell(shown),
    ["```text", `frontdesk ${name} ${operands}`.trimEnd(), "```"].join("\n"),
    words ? `The first word is one of ${words.map(code).join(", ")}.` : "",
    flags.length > 0 ? "## Flags" : "",
    table(
      ["flag", "what it does"],
      flags.map((flag) => [
        code(`--${flag.name}${flag.value ? ` <${flag.value}>` : ""}`),
        cell(`${flag.summary}${flag.values ? `: ${flag.values.join(", ")}` : ""}`),
      ]),
    ),
    "## Examples",
    ["```text", ...examples.map((example) => `frontdesk ${example}`), "```"].join("\n"),
    "## Exit codes",
    table(
      ["code", "meaning"],
      [["0", "done"], ...Object.entries(exitCodesOf(command)).map(([exitCode, meaning]) => [exitCode, cell(meaning)])],
    ),
    "How a server is found, and what formats print: [the command line](../../commands.md).",
  );
}
