import { create } from "@bufbuild/protobuf";
import {
  type Evaluation,
  EvaluationSchema,
  Evaluation_GoldenTurnSchema as GoldenTurnSchema,
} from "@frontdesk/protos/ces/evaluation";
import { createPauses, thrownMessage } from "#base";
import { invalidArgument } from "#status";
import type { AppNames } from "../app-names.ts";
import { COLUMNS, type CsvRow, stepOf, unreadColumns } from "./csv-steps.ts";
import type { EntryTexts, TableRow } from "./entry-texts.ts";
import type { FileEntry } from "./evaluation-file.ts";
import { itemsOf } from "./read-entries.ts";

const REQUIRED_COLUMNS = ["display_name", "turn_index", "action_type"];

/** Goldens of a table, with problems of the table that concern no golden. */
interface CsvGoldens {
  readonly evaluations: readonly FileEntry<Evaluation>[];
  readonly warnings: readonly string[];
}

/**
 * Reads goldens from a table (EVAL-45): a row with `display_name` begins a golden, each row below it is one input or expectation of the
 * turn `turn_index`. A golden with a wrong row is not read; its problem names the line. INVALID_ARGUMENT for what is no such table.
 */
export async function evaluationsFromCsv(
  { header, rows }: Extract<EntryTexts, { kind: "table" }>,
  names: AppNames,
  field: string,
): Promise<CsvGoldens> {
  const missing = REQUIRED_COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    const found = header.slice(0, 20).map((column) => `'${column.slice(0, 100)}'`);
    const description = `The header has no column ${missing.join(", ")}; it has ${found.join(", ")}. The first line must have ${REQUIRED_COLUMNS.join(", ")}.`;
    throw invalidArgument({ field, description });
  }
  const goldens: CsvRow[][] = [];
  const warnings = header
    .filter((column) => !COLUMNS.has(column))
    .map((column) => `line 1: the column '${column}' is not known and was ignored.`);
  for await (const { cells, ...rest } of itemsOf<TableRow>(rows)) {
    const { line } = rest;
    const row: CsvRow = { ...rest, cell: (column) => cells[column] ?? "" };
    for (const column of unreadColumns(row)) {
      const value = row.cell(column).slice(0, 100);
      warnings.push(`line ${line}: ${row.cell("action_type")} does not read ${column}; '${value}' was ignored.`);
    }
    const golden = goldens.at(-1);
    if (golden && isOf(golden, row)) golden.push(row);
    else if (row.cell("display_name") !== "") goldens.push([row]);
    else warnings.push(`line ${line}: a row before the first display_name belongs to no evaluation and was ignored.`);
  }
  if (rows.length === 0) warnings.push("line 1: no row follows the header, so there is nothing to import.");
  const pause = createPauses();
  const evaluations: FileEntry<Evaluation>[] = [];
  for (const golden of goldens) evaluations.push(await toGolden(golden, names, pause));
  return { evaluations, warnings };
}

/** Whether a row is one of a golden: without a name, or with its name, where each row of it has that. */
function isOf(golden: readonly CsvRow[], row: CsvRow): boolean {
  const name = row.cell("display_name");
  if (name === "") return true;
  return row.cell("action_type") !== "" && golden.every((other) => other.cell("display_name") === name);
}

/** The first row is the evaluation's own; it may be a turn's as well. */
async function toGolden(
  rows: readonly CsvRow[],
  names: AppNames,
  pause: () => Promise<void> | undefined,
): Promise<FileEntry<Evaluation>> {
  const [first] = rows as readonly [CsvRow];
  const turns = new Map<number, ReturnType<typeof stepOf>[]>();
  let last = 0;
  for (const row of rows) {
    await pause();
    if (row.problem !== undefined) return { where: `line ${row.line}`, problem: row.problem };
    if (row === first && row.cell("action_type") === "") continue;
    try {
      const index = turnIndexOf(row, last);
      last = index;
      const steps = turns.get(index) ?? [];
      steps.push(stepOf(row, names));
      turns.set(index, steps);
    } catch (error) {
      return { where: `line ${row.line}`, problem: thrownMessage(error) };
    }
  }
  const where = `line ${first.line}`;
  if (turns.size === 0)
    return { where, problem: "the evaluation has no turns; add rows with turn_index and action_type." };
  const message = create(EvaluationSchema, {
    displayName: first.cell("display_name"),
    description: first.cell("description"),
    tags: first
      .cell("tags")
      .split(/[,;]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
    inputs: {
      case: "golden",
      value: { turns: [...turns.values()].map((steps) => create(GoldenTurnSchema, { steps })) },
    },
  });
  return { where, message };
}

function turnIndexOf(row: CsvRow, last: number): number {
  const text = row.cell("turn_index");
  const index = Number(text);
  if (!/^\d+$/.test(text) || index < 1) throw new Error(`turn_index must be a number from 1; it is '${text}'.`);
  if (last === 0 && index !== 1) throw new Error(`the first turn_index of an evaluation must be 1; it is ${index}.`);
  if (index < last)
    throw new Error(`turn_index must not be less than ${last}, that of the row before; it is ${index}.`);
  return index;
}
