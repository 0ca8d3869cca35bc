import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import type { Rows } from "./answer.ts";

/** A row with its place, which is its key. */
interface NumberedRow {
  readonly at: number;
  readonly cells: readonly string[];
}

const PAGE = 20;
const NUMBERS = new Set(["INTEGER", "INT64", "FLOAT", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);

/** The rows of a result, some at a time; numbers are grouped for reading. */
export function RowsTable({ rows }: { readonly rows: Rows }) {
  const [shown, setShown] = useState(PAGE);
  if (rows.rows.length === 0) return <p className="muted">The query found no rows.</p>;
  return (
    <div className="stack tight">
      <Table<NumberedRow>
        label={rows.name.replaceAll("_", " ")}
        rows={rows.rows.slice(0, shown).map((cells, at) => ({ at, cells }))}
        keyOf={({ at }) => String(at)}
        columns={rows.columns.map(({ name, type }, column) => ({
          id: `${column}`,
          heading: name,
          number: NUMBERS.has(type),
          cell: ({ cells }) => (NUMBERS.has(type) ? grouped(cells[column] ?? "") : (cells[column] ?? "")),
        }))}
      />
      {rows.rows.length > shown && (
        <div>
          <Button small onPress={() => setShown((before) => before + 10 * PAGE)}>
            Show more of {rows.rows.length.toLocaleString()} rows
          </Button>
        </div>
      )}
    </div>
  );
}

function grouped(text: string): string {
  const number = Number(text);
  if (text === "" || !Number.isFinite(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER) return text;
  return number.toLocaleString(undefined, { maximumFractionDigits: 4 });
}
