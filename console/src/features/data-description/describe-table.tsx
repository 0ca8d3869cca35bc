import { create } from "@bufbuild/protobuf";
import {
  type Field,
  FieldSchema,
  type Schema,
  SchemaSchema,
  type BigQueryTableReference as TableReference,
} from "@frontdesk/protos/gda/datasource";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { tableLabel } from "../data-chat/table-name.ts";
import { useTableColumns } from "./table-columns.ts";

interface DescribeTableProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly table: TableReference;
  readonly begunOpen: boolean;
  readonly readOnly: boolean;
  readonly onChange: (edit: (table: TableReference) => void) => void;
  readonly onRemove: () => void;
}

/** What a row of a table is, and what its columns mean. */
export function DescribeTable({ agent, table, begunOpen, readOnly, onChange, onRemove }: DescribeTableProps) {
  const [open, setOpen] = useState(begunOpen);
  const { data, error, isLoading } = useTableColumns(agent, table, open);
  const fields = new Map((table.schema?.fields ?? []).map((field) => [field.name, field]));
  const columns = data ?? [...fields.values()].map(({ name, type }) => ({ name, type }));
  const label = tableLabel(table);
  const changeSchema = (edit: (schema: Schema) => void) =>
    onChange((own) => {
      own.schema ??= create(SchemaSchema);
      edit(own.schema);
    });
  return (
    <details className="describe-table" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{label}</code> <span className="muted">{summaryOf(table)}</span>
      </summary>
      {open && (
        <div className="stack">
          {error && <Banner tone="error" error={toStatusError(error)} />}
          <div className="describe-own">
            <TextField
              label={`What a row of ${table.tableId} is`}
              value={table.schema?.description ?? ""}
              disabled={readOnly}
              onChange={(description) => changeSchema((schema) => Object.assign(schema, { description }))}
            />
            <SynonymsField
              label={`Other words for ${table.tableId}`}
              value={table.schema?.synonyms ?? []}
              disabled={readOnly}
              onChange={(synonyms) => changeSchema((schema) => Object.assign(schema, { synonyms }))}
            />
          </div>
          {isLoading && <Loading>Reading the columns…</Loading>}
          <ul className="describe-columns">
            {columns.map(({ name, type }) => (
              <DescribeColumn
                key={name}
                name={name}
                type={type}
                field={fields.get(name)}
                readOnly={readOnly}
                onChange={(change) => changeSchema((schema) => changeField(schema, name, change))}
              />
            ))}
          </ul>
          {!readOnly && (
            <div>
              <Button small tone="plain" onPress={onRemove}>
                <Trash2 size={15} aria-hidden="true" /> Remove {table.tableId} from this data agent
              </Button>
            </div>
          )}
        </div>
      )}
    </details>
  );
}

type FieldChange = Partial<Pick<Field, "description" | "synonyms">>;

interface DescribeColumnProps {
  readonly name: string;
  readonly type: string;
  readonly field: Field | undefined;
  readonly readOnly: boolean;
  readonly onChange: (change: FieldChange) => void;
}

function DescribeColumn({ name, type, field, readOnly, onChange }: DescribeColumnProps) {
  return (
    <li>
      <div className="describe-column">
        <code>{name}</code>
        <span className="muted">{type.toLowerCase()}</span>
      </div>
      <TextField
        label={`Description of ${name}`}
        hideLabel
        placeholder={readOnly ? "" : "What it means"}
        value={field?.description ?? ""}
        disabled={readOnly}
        onChange={(description) => onChange({ description })}
      />
      <SynonymsField
        label={`Other words for ${name}`}
        hideLabel
        value={field?.synonyms ?? []}
        disabled={readOnly}
        onChange={(synonyms) => onChange({ synonyms })}
      />
    </li>
  );
}

interface SynonymsFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (synonyms: string[]) => void;
}

/** Synonyms with commas between them; what is typed stays as it is typed. */
function SynonymsField({ value, onChange, ...props }: SynonymsFieldProps) {
  const [text, setText] = useState(() => value.join(", "));
  return (
    <TextField
      {...props}
      placeholder={props.disabled ? "" : "Other words, with commas"}
      value={text}
      onChange={(typed) => {
        setText(typed);
        onChange(typed.split(",").flatMap((word) => word.trim() || []));
      }}
    />
  );
}

function changeField(schema: Schema, name: string, change: FieldChange): void {
  const found = schema.fields.find((field) => field.name === name);
  if (found) Object.assign(found, change);
  else schema.fields.push(create(FieldSchema, { name, ...change }));
}

function summaryOf({ schema }: TableReference): string {
  const described = (schema?.fields ?? []).filter(({ description, synonyms }) => description || synonyms.length > 0);
  if (described.length > 0) return `${described.length} described`;
  return schema?.description ?? "";
}
