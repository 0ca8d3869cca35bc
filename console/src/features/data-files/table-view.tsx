import { useMutation } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import {
  type DataFile_Column as Column,
  type DataFile_Table as DataTable,
  DataFile_Kind as Kind,
} from "@frontdesk/protos/gda/data_file";
import { useState } from "react";
import { toStatusError } from "../../api/status-error.ts";
import { Badge } from "../../components/badge.tsx";
import { Banner } from "../../components/banner.tsx";
import { SelectField } from "../../components/field.tsx";
import { formatsOf, KINDS, kindLabel } from "./column-kinds.ts";

interface TableViewProps {
  /** Resource name of the file. */
  readonly file: string;
  readonly table: DataTable;
  readonly onChanged: () => void;
}

/** The columns of a table: what was found in each, some values, and what kind they are, which can be corrected. */
export function TableView({ file, table, onChanged }: TableViewProps) {
  const update = useMutation(DataAgentService.method.updateDataFile, { onSuccess: onChanged });
  const change = (column: Column, kind: Kind, format: string) =>
    update.mutate({
      dataFile: { name: file, tables: [{ tableId: table.tableId, columns: [{ name: column.name, kind, format }] }] },
      updateMask: { paths: ["tables"] },
    });
  const rows = Number(table.rowCount);
  return (
    <section className="data-table" aria-label={table.tableId}>
      <header className="row wrap">
        <h2>{table.tableId}</h2>
        <span className="muted">
          {rows.toLocaleString()} {rows === 1 ? "row" : "rows"}, {table.columns.length} columns
        </span>
      </header>
      {table.description !== "" && <p className="muted">{table.description}</p>}
      {update.error && <Banner tone="error" error={toStatusError(update.error)} />}
      <ul className="data-columns" aria-busy={update.isPending}>
        {table.columns.map((column) => (
          <ColumnRow
            key={column.name}
            column={column}
            disabled={update.isPending}
            onChange={(kind, format) => change(column, kind, format)}
          />
        ))}
      </ul>
    </section>
  );
}

interface ColumnRowProps {
  readonly column: Column;
  readonly disabled: boolean;
  readonly onChange: (kind: Kind, format: string) => void;
}

function ColumnRow({ column, disabled, onChange }: ColumnRowProps) {
  // A kind whose values may be written in several ways waits for the way.
  const [waiting, setWaiting] = useState<Kind>();
  const kind = waiting ?? column.kind;
  const formats = formatsOf(kind, column);
  const choose = (next: Kind) => {
    const [only, other] = formatsOf(next, column);
    if (other) setWaiting(next);
    else {
      setWaiting(undefined);
      onChange(next, only?.value ?? "");
    }
  };
  const isDoubtful = column.foundKind !== column.kind && column.kind === Kind.TEXT;
  return (
    <li className="data-column">
      <div className="data-column-name">
        <strong>{column.name}</strong>
        <ColumnFacts column={column} />
        {isDoubtful && <Badge tone="warning">May be {kindLabel(column.foundKind).toLowerCase()}</Badge>}
      </div>
      <p className="data-samples">
        {column.samples
          .filter((sample) => sample !== "")
          .slice(0, 5)
          .join("  ·  ") || <span className="muted">Always empty</span>}
      </p>
      <div className="data-column-kind">
        <SelectField
          label={`Kind of ${column.name}`}
          hideLabel
          disabled={disabled}
          value={String(kind)}
          choices={KINDS.map((one) => ({ value: String(one.kind), label: one.label, description: one.description }))}
          onChange={(value) => choose(Number(value))}
        />
        {formats.length > 0 && (
          <SelectField
            label={`How ${column.name} is written`}
            hideLabel
            disabled={disabled}
            value={waiting === undefined ? column.format : ""}
            choices={[
              ...(waiting === undefined ? [] : [{ value: "", label: "Written like…" }]),
              ...withOwn(formats, waiting === undefined ? column.format : ""),
            ]}
            onChange={(format) => {
              setWaiting(undefined);
              onChange(kind, format);
            }}
          />
        )}
      </div>
    </li>
  );
}

function withOwn(formats: readonly { readonly value: string; readonly label: string }[], own: string) {
  return own === "" || formats.some(({ value }) => value === own) ? formats : [...formats, { value: own, label: own }];
}

function ColumnFacts({ column: { distinctCount, emptyCount } }: { readonly column: Column }) {
  const facts = [
    `${Number(distinctCount).toLocaleString()} different`,
    ...(emptyCount > 0n ? [`${Number(emptyCount).toLocaleString()} empty`] : []),
  ];
  return <span className="muted">{facts.join(", ")}</span>;
}
