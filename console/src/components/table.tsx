import { memo, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { useKeptFocus } from "./kept-focus.ts";

/** A column: its heading, and the cell it makes of a row. */
export interface TableColumn<Row> {
  readonly id: string;
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Aligns the column to the end, for numbers. */
  readonly number?: boolean;
}

/** Rows that are not read yet. */
export interface UnreadRows {
  readonly count: number;
  readonly isReading: boolean;
  readonly onRead: () => void;
}

interface TableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows that are rendered until the person asks for as many more: thousands would slow down each key press. Default 300. */
  readonly most?: number;
  /** Absent: `rows` are all that there are. */
  readonly unread?: UnreadRows | undefined;
}

const MOST = 300;

/** Rows and columns; wide ones scroll sideways in their frame. Where the columns stay, only rows that changed are rendered again. */
export function Table<Row extends object>({ label, columns, rows, keyOf, most = MOST, unread }: TableProps<Row>) {
  const [pages, setPages] = useState(1);
  const shown = rows.slice(0, most * pages);
  const hidden = rows.length - shown.length;
  const left = hidden + (unread?.count ?? 0);
  const kept = useKeptFocus<HTMLDivElement>();
  const isReading = hidden === 0 && unread?.isReading === true;
  const showMore = () => {
    // A button that is disabled meanwhile would lose the focus.
    if (isReading) return;
    // Rows that are read are shown: whoever asked for them waits for them.
    setPages(pages + 1);
    if (hidden <= most) unread?.onRead();
  };
  return (
    <div className="stack" {...kept}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <section className="table-frame" aria-label={label} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {columns.map(({ id, heading, number }) => (
                <th key={id} scope="col" className={number ? "number" : ""}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <TableRow key={keyOf(row)} columns={columns as readonly TableColumn<object>[]} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 && (
        <p className="row wrap">
          <span className="muted">{left.toLocaleString()} more rows.</span>
          <Button small onPress={showMore}>
            {isReading ? "Loading…" : hidden > 0 ? `Show ${Math.min(most, hidden).toLocaleString()} more` : "Show more"}
          </Button>
        </p>
      )}
    </div>
  );
}

interface TableRowProps {
  readonly columns: readonly TableColumn<object>[];
  readonly row: object;
}

const TableRow = memo(
  function TableRow({ columns, row }: TableRowProps) {
    return (
      <tr>
        {columns.map(({ id, cell, number }) => (
          <td key={id} className={number ? "number" : ""}>
            {cell(row)}
          </td>
        ))}
      </tr>
    );
  },
  (before, after) => before.columns === after.columns && hasSame(before.row, after.row),
);

/** Whether two rows have the same values. */
function hasSame(left: object, right: object): boolean {
  if (left === right) return true;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => Reflect.get(left, key) === Reflect.get(right, key))
  );
}
