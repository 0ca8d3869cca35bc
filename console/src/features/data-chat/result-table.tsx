import { useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import type { ResultSet } from "./answer.ts";
import { hasNumbers, numberColumn } from "./number-column.ts";

/** A row with its place, which is its key. */
interface NumberedRow {
  readonly at: number;
  readonly cells: readonly string[];
}

const PAGE = 20;

/** The rows of a result, some at a time; the numbers of a column are written alike. */
export function ResultTable({ rows }: { readonly rows: ResultSet }) {
  const [shown, setShown] = useState(PAGE);
  const columns = useMemo(() => columnsOf(rows), [rows]);
  if (rows.rows.length === 0) return <p className="muted">The query returned no rows.</p>;
  return (
    <div className="stack tight">
      <Table<NumberedRow>
        label={rows.name.replaceAll("_", " ")}
        rows={rows.rows.slice(0, shown).map((cells, at) => ({ at, cells }))}
        keyOf={({ at }) => String(at)}
        columns={columns}
      />
      {rows.rows.length > shown && (
        <div>
          <Button small onPress={() => setShown((before) => before + 10 * PAGE)}>
            Show more ({shown.toLocaleString()} of {rows.rows.length.toLocaleString()} shown)
          </Button>
        </div>
      )}
    </div>
  );
}

function columnsOf({ columns, rows }: ResultSet): readonly TableColumn<NumberedRow>[] {
  return columns.map((column, at) => {
    const { name } = column;
    const number = hasNumbers(column);
    const texts = number ? rows.map((cells) => cells[at] ?? "") : [];
    const write = number ? numberColumn(name, texts) : (text: string) => text;
    return {
      id: String(at),
      heading: name,
      number,
      cell: ({ cells }) => <span className="cell-text">{write(cells[at] ?? "")}</span>,
    };
  });
}
