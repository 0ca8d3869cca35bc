import { parseArgs } from "node:util";
import { meantWord } from "./meant-word.ts";

/** A flag of a command. `value` is the placeholder of its value in the help; without one the flag is boolean. */
export interface Flag {
  readonly name: string;
  readonly value?: string;
  readonly summary: string;
  /** All values that it may have. Default: any. */
  readonly values?: readonly string[];
  /** Whether the empty value has a meaning of its own. An empty value of any other flag is refused: a script's variable is not set. */
  readonly mayBeEmpty?: boolean;
}

/** The operands and flags of a command line. */
export interface CommandInput {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command. Its help, the parsing of its command line, its completions and its exit codes in the documentation are derived from this. */
export interface Command {
  readonly name: string;
  /** Operands as in the help, e.g. `<folder|zip> [app]`; more than these are refused. */
  readonly operands: string;
  /** What to do in place of an operand too many, where people expect one. */
  readonly surplus?: string;
  /** All words that the first operand may be. Default: any. */
  readonly words?: readonly string[];
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Command lines to copy, without the name of the program. */
  readonly examples: readonly string[];
  /** What exit codes beside 0 say. Default: 1, refused or failed. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** The exit code when the command itself fails. Default 1. */
  readonly failureExitCode?: number;
  /** Resolves to the exit code. */
  run(input: CommandInput): Promise<number>;
}

/** An error for the user: its message is printed, and the command has failed. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The flags of all commands that call a server: where it is, as whom, and in which project. */
export const SERVER_FLAGS: readonly Flag[] = [
  {
    name: "server",
    value: "url",
    summary: "address of the server (FRONTDESK_SERVER; default http://127.0.0.1:8080)",
  },
  { name: "endpoint", value: "url", summary: "address of the hosted service, or of another server, called by gRPC" },
  {
    name: "token",
    value: "token",
    summary: "bearer token (FRONTDESK_TOKEN, which other users cannot read, is better)",
  },
  { name: "context", value: "name", summary: "the context to use in place of the current one (frontdesk context)" },
  { name: "project", value: "id", summary: "project (default: that of the context, else local)" },
  { name: "location", value: "id", summary: "location (default: that of the context, else us)" },
];

/** Parses the command line of a command. Throws `CommandError`. */
export function parseCommandLine(command: Command, args: readonly string[]): CommandInput {
  const options = Object.fromEntries(
    command.flags.map((flag) => [flag.name, { type: flag.value ? ("string" as const) : ("boolean" as const) }]),
  );
  try {
    const words = withNegativeNumbers(command, args);
    const { values, positionals, tokens } = parseArgs({
      ...{ args: words, options },
      ...{ allowPositionals: true, strict: true, tokens: true },
    });
    checkOnce(tokens.flatMap((token) => (token.kind === "option" ? [token] : [])));
    checkOperands(command, positionals);
    checkValues(command, values as CommandInput["flags"]);
    return { positionals, flags: values as CommandInput["flags"] };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const fault = `${firstSentence(error as Error)}${meantFlag(command, error as Error)}`;
    throw new CommandError(`${fault} Run frontdesk help ${command.name} for its flags.`);
  }
}

/** ` Did you mean …?` where one of the words is near; else nothing. */
export function didYouMean(word: string, words: readonly string[], prefix = ""): string {
  const meant = meantWord(word, words);
  return meant === undefined ? "" : ` Did you mean ${prefix}${meant}?`;
}

/** What to say where the first operand must be one of some words and is another, or missing. */
export function noSuchVerb(command: string, verb: string, verbs: readonly string[]): CommandError {
  if (verb === "") return new CommandError(`say what to do: frontdesk ${command} ${verbs.join("|")}.`);
  return new CommandError(`${command} cannot '${verb}': use ${verbs.join(", ")}.${didYouMean(verb, verbs)}`);
}

/** `--limit -1` as `--limit=-1`, which Node demands of values that begin with a dash. */
function withNegativeNumbers({ flags }: Command, args: readonly string[]): string[] {
  const valued = new Set(flags.filter(({ value }) => value).map(({ name }) => `--${name}`));
  const words: string[] = [];
  for (const arg of args) {
    const last = words.at(-1);
    if (last !== undefined && valued.has(last) && /^-\d/.test(arg)) words.splice(-1, 1, `${last}=${arg}`);
    else words.push(arg);
  }
  return words;
}

/** Refuses a flag with two values, of which the command would ignore one. */
function checkOnce(given: readonly { readonly name: string; readonly value?: string | undefined }[]): void {
  const values = new Map<string, string | undefined>();
  for (const { name, value } of given) {
    const before = values.get(name);
    if (before !== undefined && before !== value)
      throw new CommandError(`--${name} is there twice, with '${before}' and '${value}'; it takes one value.`);
    values.set(name, value);
  }
}

/** Refuses operands that the command would ignore. */
function checkOperands({ name, operands, surplus }: Command, given: readonly string[]): void {
  const most = mostOperands(operands);
  if (given.length > most)
    throw new CommandError(
      `${name} takes ${operands || "no operands"}; '${given[most]}' is one too many.${surplus ? ` ${surplus}` : ""}`,
    );
  if (given.includes("")) throw new CommandError(`an operand is empty; ${name} takes ${operands}.`);
}

/** How many the words of the help stand for; without limit where they are a list, a sentence or alternatives. */
function mostOperands(operands: string): number {
  if (/[…",]/.test(operands)) return Number.POSITIVE_INFINITY;
  return operands.match(/<[^>]*>|\[[^\]]*\]|\S+/g)?.length ?? 0;
}

function checkValues({ flags }: Command, given: CommandInput["flags"]): void {
  const { json, output = "json" } = given;
  if (json === true && output !== "json") throw new CommandError(`--json and --output ${output} exclude each other.`);
  for (const { name, values, mayBeEmpty } of flags) {
    const value = given[name];
    if (value === "" && !mayBeEmpty)
      throw new CommandError(`--${name} is empty: give it a value, or leave the flag out.`);
    if (!values || typeof value !== "string" || values.includes(value)) continue;
    throw new CommandError(`--${name} is '${value}'; use ${values.join(", ")}.${didYouMean(value, values)}`);
  }
}

/** Node names the flag in the message only. */
function meantFlag({ flags }: Command, { message }: Error): string {
  const [, unknown] = /^Unknown option '--?([^']+)'/.exec(message) ?? [];
  if (unknown === undefined) return "";
  return didYouMean(
    unknown,
    flags.map(({ name }) => name),
    "--",
  );
}

/** Node adds advice, about positional arguments and more, that does not apply here. */
function firstSentence({ message }: Error): string {
  const [, valued] = /^Option '(--[^ ']+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(message) ?? [];
  if (valued !== undefined) return `${valued} needs a value.`;
  return `${message.split(/\. |\n/, 1)[0]?.replace(/\.$/, "")}.`;
}

/** The help text of one command. */
export function helpFor(command: Command): string {
  return [
    `frontdesk ${command.name} ${command.operands}`.trimEnd(),
    `  ${command.summary}`,
    ...section(
      "Flags",
      command.flags.map((flag) => [`--${flag.name}${flag.value ? ` <${flag.value}>` : ""}`, flag.summary]),
    ),
    ...section(
      "Examples",
      command.examples.map((example) => [`frontdesk ${example}`, ""]),
    ),
    ...section("Exit codes beside 0", Object.entries(exitCodesOf(command))),
  ].join("\n");
}

/** What exit codes beside 0 say. */
export function exitCodesOf({ exitCodes, failureExitCode = 1 }: Command): Readonly<Record<number, string>> {
  return { ...exitCodes, [failureExitCode]: exitCodes?.[failureExitCode] ?? "refused or failed" };
}

function section(title: string, rows: readonly (readonly [string, string])[]): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([left]) => left.length));
  return ["", `${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())];
}
