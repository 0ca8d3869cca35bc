import type { JsonObject } from "@bufbuild/protobuf";
import type { CommandInput } from "../command.ts";
import { printResult } from "../output/print-result.ts";
import { columns } from "../output/text-columns.ts";
import { outcomeColumns } from "./outcome-columns.ts";

/** Columns of a table: the heading, and the field in JSON. Those that no resource has are left out. */
const COLUMNS = [
  ["NAME", "name"],
  ["DISPLAY NAME", "displayName"],
  ["UPDATED", "updateTime"],
  ["CREATED", "createTime"],
  ["STARTED", "startTime"],
  ["TURNS", "turnCount"],
] as const;

const MOST_COLUMNS = 3;

/** Prints resources in the format of `--output`: usually a table. */
export function printList(resources: readonly JsonObject[], flags: CommandInput["flags"]): void {
  printResult(flags, { value: [...resources], text: () => table(resources) });
}

/** Prints one resource in the format of `--output`: usually YAML. */
export function printResource(resource: JsonObject, flags: CommandInput["flags"]): void {
  printResult(flags, { value: resource, text: () => table([resource]) }, "yaml");
}

function table(resources: readonly JsonObject[]): string {
  if (resources.length === 0) return "None.";
  const shown = COLUMNS.filter(([, field]) => resources.some((resource) => resource[field] !== undefined)).slice(
    0,
    MOST_COLUMNS,
  );
  const outcomes = outcomeColumns(resources);
  const rows = resources.map((resource) => [
    ...shown.map(([, field]) => cell(field, resource)),
    ...outcomes.map(([, textOf]) => textOf(resource)),
  ]);
  return columns([[...shown, ...outcomes].map(([heading]) => heading), ...rows]).join("\n");
}

/** A name's last part, which the commands take as well; times to the second. */
function cell(field: string, resource: JsonObject): string {
  // Control characters in a name must not move the cursor.
  const text = String(resource[field] ?? "").replace(/\p{Cc}+/gu, " ");
  if (field === "name") return text.split("/").at(-1) ?? text;
  return field.endsWith("Time") ? text.replace(/\.\d+Z$/, "Z") : text;
}
