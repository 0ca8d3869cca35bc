import type { Explore, LookerResult } from "#warehouse";

/** Rows that are told in words; the message with the rows has all. */
const TOLD_ROWS = 10;

/** The rows of a query in plain words: a sentence for one row, a table for more. Markdown. */
export function tellRows(result: LookerResult, { fields }: Explore): string {
  const rows = result.formatted ?? result.rows;
  const labels = result.columns.map(({ name }) => fields.find((field) => field.name === name)?.label ?? name);
  const [first] = rows;
  if (!first) return "Nothing was found.";
  const cell = (row: typeof first, at: number) => String(row[at] ?? "none").replaceAll("|", "\\|");
  if (rows.length === 1) return `${labels.map((label, at) => `${label}: **${cell(first, at)}**`).join(", ")}.`;
  const more = rows.length > TOLD_ROWS || result.truncated;
  const lines = rows.slice(0, TOLD_ROWS).map((row) => `| ${labels.map((_, at) => cell(row, at)).join(" | ")} |`);
  return [
    `| ${labels.join(" | ")} |`,
    `|${labels.map(() => " --- |").join("")}`,
    ...lines,
    ...(more ? ["", result.truncated ? "The rows were cut; more exist." : "The rows above have the rest."] : []),
  ].join("\n");
}
