import { create } from "@bufbuild/protobuf";
import type { Context } from "@frontdesk/protos/gda/context";
import {
  BigQueryTableReferenceSchema,
  BigQueryTableReferencesSchema,
  DatasourceReferencesSchema,
  type BigQueryTableReference as TableReference,
} from "@frontdesk/protos/gda/datasource";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { fullName, parseTableName, tableLabel } from "../data-chat/table-name.ts";
import type { DescriptionProps } from "./describe-agent.tsx";
import { DescribeTable } from "./describe-table.tsx";

/** Tables that are shown at once; a search finds the others. */
const SHOWN = 30;

/** The tables that a data agent is asked about, and what they and their columns mean. */
export function DescribeTables({ editor, readOnly }: DescriptionProps) {
  const [search, setSearch] = useState("");
  const { agent, context, changeContext } = editor;
  const tables = tablesOf(context);
  if (tables === undefined)
    return (
      <p className="muted">The tables of this data agent are described where they are: its source has fields for it.</p>
    );
  const matching = tables
    .map((table, at) => ({ table, at }))
    .filter(({ table }) => tableLabel(table).toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div className="stack">
      {tables.length > SHOWN && (
        <TextField label="Search tables" hideLabel placeholder="Search tables" value={search} onChange={setSearch} />
      )}
      <div>
        {matching.slice(0, SHOWN).map(({ table, at }) => (
          <DescribeTable
            key={fullName(table)}
            agent={agent.name}
            table={table}
            begunOpen={at === 0}
            readOnly={readOnly}
            onChange={(edit) => changeContext((draft) => edit(tablesOf(draft)?.[at] ?? table))}
            onRemove={() => changeContext((draft) => void tablesOf(draft)?.splice(at, 1))}
          />
        ))}
      </div>
      {matching.length > SHOWN && (
        <p className="muted">
          The first {SHOWN} of {matching.length} tables are shown. Search for others by name.
        </p>
      )}
      {!readOnly && <AddTable editor={editor} />}
    </div>
  );
}

/** The tables of a context, to be changed in place; undefined where its source is not one of tables. */
export function tablesOf({ datasourceReferences }: Context): TableReference[] | undefined {
  const { references } = datasourceReferences ?? {};
  if (references?.case === undefined) return [];
  return references.case === "bq" ? references.value.tableReferences : undefined;
}

function AddTable({ editor: { context, changeContext } }: Pick<DescriptionProps, "editor">) {
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const add = () => {
    const table = parseTableName(name);
    if (!table) return setError("Write it as project.dataset.table.");
    if (tablesOf(context)?.some((other) => fullName(other) === fullName(table)))
      return setError("The data agent has this table already.");
    setName("");
    changeContext((draft) => addTable(draft, create(BigQueryTableReferenceSchema, table)));
  };
  return (
    <div className="describe-add">
      <TextField
        label="Another table"
        placeholder="project.dataset.table"
        value={name}
        error={error}
        onChange={(text) => {
          setName(text);
          setError(undefined);
        }}
      />
      <Button isDisabled={name.trim() === ""} onPress={add}>
        <Plus size={16} aria-hidden="true" /> Add table
      </Button>
    </div>
  );
}

function addTable(context: Context, table: TableReference): void {
  const { references } = context.datasourceReferences ?? {};
  if (references?.case === "bq") references.value.tableReferences.push(table);
  else {
    const value = create(BigQueryTableReferencesSchema, { tableReferences: [table] });
    context.datasourceReferences = create(DatasourceReferencesSchema, { references: { case: "bq", value } });
  }
}
