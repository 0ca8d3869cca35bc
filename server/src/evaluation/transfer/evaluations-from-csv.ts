import { create } from "@bufbuild/protobuf";
import {
  type Evaluation,
  EvaluationSchema,
  Evaluation_GoldenTurnSchema as GoldenTurnSchema,
} from "@frontdesk/protos/ces/evaluation";
import { createPauses } from "#base";
import { invalidArgument } from "#status";
import type { AppNames } from "../app-names.ts";
import { COLUMNS, type CsvRow, stepOf } from "./csv-steps.ts";
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
    const description = `The header has no column ${missing.join(", ")}. The first line must have ${REQUIRED_COLUMNS.join(", ")}.`;
    throw invalidArgument({ field, description });
  }
  const goldens: CsvRow[][] = [];
  const warnings = header
    .filter((column) => !COLUMNS.has(column))
    .map((column) => `line 1: the column '${column}' is not known and was ignored.`);
  for await (const { line, cells } of itemsOf<TableRow>(rows)) {
    const row: CsvRow = { line, cell: (column) => cells[column] ?? "" };
    const golden = goldens.at(-1);
    if (row.cell("display_name") !== "") goldens.push([row]);
    else if (golden) golden.push(row);
    else warnings.push(`line ${line}: a row before the first display_name belongs to no evaluation and was ignored.`);
  }
  const pause = createPauses();
  const evaluations: FileEntry<Evaluation>[] = [];
  for (const golden of goldens) evaluations.push(await toGolden(golden, names, pause));
  return { evaluations, warnings };
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
    if (row === first && row.cell("action_type") === "") continue;
    try {
      const index = turnIndexOf(row, last);
      last = index;
      const steps = turns.get(index) ?? [];
      steps.push(stepOf(row, names));
      turns.set(index, steps);
    } catch (error) {
      return { where: `line ${row.line}`, problem: error instanceof Error ? error.message : String(error) };
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
