import type { Command, Flag } from "../command.ts";

/** Completions for fish, with what each is for. What has no words is completed with names of files. */
export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return [
    "# Completions of frontdesk.",
    ...commands.map(({ name, summary }) => line("__fish_use_subcommand", `-f -a ${name}`, summary)),
    line("__fish_use_subcommand", "-f -a help", "show the help of a command"),
    line("__fish_seen_subcommand_from help", `-f -a ${quoted(names)}`),
    ...commands.flatMap(commandLines),
    "",
  ].join("\n");
}

function commandLines({ name, words, flags }: Command): readonly string[] {
  const isSeen = `__fish_seen_subcommand_from ${name}`;
  // The first operand alone: behind it, the line has three words.
  const isFirst = `${isSeen}; and test (count (commandline -opc)) -eq 2`;
  return [
    ...(words ? [line(isFirst, `-f -a ${quoted(words.join(" "))}`)] : []),
    ...flags.map((flag) => line(isSeen, flagWords(flag), flag.summary)),
  ];
}

function flagWords({ name, value, values }: Flag): string {
  if (values) return `-l ${name} -x -a ${quoted(values.join(" "))}`;
  return value ? `-l ${name} -r` : `-l ${name}`;
}

function line(condition: string, words: string, summary?: string): string {
  const described = summary === undefined ? "" : ` -d ${quoted(summary)}`;
  return `complete -c frontdesk -n ${quoted(condition)} ${words}${described}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
