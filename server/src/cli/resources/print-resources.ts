import type { JsonObject } from "@bufbuild/protobuf";
import { stringify } from "yaml";
import { CommandError, type CommandInput } from "../command.ts";
import { columns } from "../text-columns.ts";

const FORMATS = ["table", "json", "yaml", "name"] as const;
type Format = (typeof FORMATS)[number];

/** Columns of a table: the heading, and the field in JSON. Those that no resource has are left out. */
const COLUMNS = [
  ["NAME", "name"],
  ["DISPLAY NAME", "displayName"],
  ["UPDATED", "updateTime"],
  ["CREATED", "createTime"],
] as const;

/** Prints resources in the format of `--output`. */
export function printList(resources: readonly JsonObject[], flags: CommandInput["flags"]): void {
  const format = formatOf(flags, "table");
  if (format === "json") print(JSON.stringify(resources, null, 2));
  else if (format === "yaml") print(stringify(resources).trimEnd());
  else if (format === "name") for (const { name } of resources) print(String(name));
  else printTable(resources);
}

/** Prints one resource in the format of `--output`. */
export function printResource(resource: JsonObject, flags: CommandInput["flags"]): void {
  const format = formatOf(flags, "yaml");
  if (format === "json") print(JSON.stringify(resource, null, 2));
  else if (format === "yaml") print(stringify(resource).trimEnd());
  else if (format === "name") print(String(resource.name));
  else printTable([resource]);
}

function formatOf({ json, output }: CommandInput["flags"], usual: Format): Format {
  if (json === true) return "json";
  if (output === undefined) return usual;
  const format = FORMATS.find((one) => one === output);
  if (!format) throw new CommandError(`--output is '${output}'; use ${FORMATS.join(", ")}.`);
  return format;
}

function printTable(resources: readonly JsonObject[]): void {
  if (resources.length === 0) {
    print("None.");
    return;
  }
  const shown = COLUMNS.filter(([, field]) => resources.some((resource) => resource[field] !== undefined)).slice(0, 3);
  const rows = resources.map((resource) => shown.map(([, field]) => cell(field, resource)));
  for (const line of columns([shown.map(([heading]) => heading), ...rows])) print(line);
}

/** A name's last part, which the commands take as well; times to the second. */
function cell(field: string, resource: JsonObject): string {
  // Control characters in a name must not move the cursor.
  const text = String(resource[field] ?? "").replace(/\p{Cc}+/gu, " ");
  if (field === "name") return text.split("/").at(-1) ?? text;
  return field.endsWith("Time") ? text.replace(/\.\d+Z$/, "Z") : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
