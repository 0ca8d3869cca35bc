import type { ResultSet } from "../answer.ts";
import { hasNumbers, numberColumn } from "../number-column.ts";

/** Most values that are read faster side by side than in a table. */
const MOST_FIGURES = 4;

/** The answer in one look, where it is one row of few values; the chart and the table tell the others. */
export function SharedFigures({ rows: { columns, rows } }: { readonly rows: ResultSet }) {
  const [only, ...others] = rows;
  if (!only || others.length > 0 || columns.length > MOST_FIGURES) return null;
  return (
    <dl className="shared-figures">
      {columns.map((column, at) => {
        const text = only[at] ?? "";
        return (
          <div key={column.name}>
            <dt>{column.name.replaceAll("_", " ")}</dt>
            <dd>{hasNumbers(column) ? numberColumn(column.name, [text])(text) : text}</dd>
          </div>
        );
      })}
    </dl>
  );
}
