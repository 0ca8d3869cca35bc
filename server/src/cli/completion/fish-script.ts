import type { Command, Flag } from "../command.ts";

/** Completions for fish, with what each is for. What has no words is completed with names of files. */
export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return [
    "# Completions of frontdesk.",
    ...commands.map(({ name, summary }) => line("__fish_use_subcommand", `-f -a ${name}`, summary)),
    line("__fish_use_subcommand", "-f -a help", "show the help of a command"),
    line("__fish_use_subcommand", "-l version", "print the version"),
    line("true", "-l help", "show the help"),
    line("__fish_seen_subcommand_from help", `-f -a ${quoted(names)}`),
    ...commands.flatMap(commandLines),
    "",
  ].join("\n");
}

function commandLines({ name, words, flags }: Command): readonly string[] {
  const isSeen = `__fish_seen_subcommand_from ${name}`;
  return [
    ...(words ? [verbs(isSeen, words)] : []),
    ...flags.map((flag) => line(isSeen, flagWords(flag), flag.summary)),
  ];
}

/** The words of the first operand, which are offered until one of them is there: before it, there may be flags with values. */
function verbs(isSeen: string, words: readonly string[]): string {
  const known = words.join(" ");
  return line(`${isSeen}; and not __fish_seen_subcommand_from ${known}`, `-f -a ${quoted(known)}`);
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
