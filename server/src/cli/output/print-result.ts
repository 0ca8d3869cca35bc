import { stringify } from "yaml";
import type { JsonValue } from "#base";
import type { CommandInput, Flag } from "../command.ts";
import { say } from "./say.ts";

const FORMATS = ["table", "yaml", "json", "name"] as const;
type Format = (typeof FORMATS)[number];

/** The flags of all commands that print a result. */
export const OUTPUT_FLAGS: readonly Flag[] = [
  {
    name: "output",
    value: "format",
    values: FORMATS,
    summary: "table (for people), yaml, json, or name (names alone, one a line)",
  },
  { name: "json", summary: "the same as --output json" },
];

/** The same of commands whose result has no names. */
export const UNNAMED_OUTPUT_FLAGS: readonly Flag[] = [
  {
    name: "output",
    value: "format",
    values: FORMATS.filter((format) => format !== "name"),
    summary: "table (for people), yaml, or json",
  },
  ...OUTPUT_FLAGS.filter(({ name }) => name !== "output"),
];

/** What a command found or did. */
interface Result {
  /** For programs. */
  readonly value: JsonValue;
  /** For people, without the last end of line. */
  readonly text: string | (() => string);
}

/** The format of `--output` and `--json`; `usual` when neither is given. */
export function formatOf({ json, output }: CommandInput["flags"], usual: Format = "table"): Format {
  return json === true ? "json" : ((output as Format | undefined) ?? usual);
}

/** Prints it in the format of `--output`: `text` in that for people, which is usual. */
export function printResult(flags: CommandInput["flags"], { value, text }: Result, usual?: Format): void {
  const format = formatOf(flags, usual);
  const lines = rendered(format, value, text);
  if (lines === "") return;
  if (format === "table") say(`${lines}\n`);
  else process.stdout.write(`${lines}\n`);
}

function rendered(format: Format, value: JsonValue, text: Result["text"]): string {
  if (format === "json") return JSON.stringify(value, null, 2);
  if (format === "yaml") return yamlOf(value);
  if (format === "name") return namesIn(value).join("\n");
  return typeof text === "string" ? text : text();
}

/** YAML to read and to edit: code and instructions keep their lines, which the format else folds where they are long. */
export function yamlOf(value: JsonValue): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** The names of one resource or several. What has none has nothing to print. */
function namesIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  const { name } = value as { readonly name?: JsonValue };
  return typeof name === "string" ? [name] : [];
}
