import { create } from "@bufbuild/protobuf";
import {
  type Context_SchemaRelationship_SchemaPaths as Paths,
  Context_SchemaRelationship_SchemaPathsSchema as PathsSchema,
  Context_SchemaRelationshipSchema as RelationshipSchema,
} from "@frontdesk/protos/gda/context";
import { Plus, Trash2 } from "lucide-react";
import { toStatusError } from "../../api/status-error.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { SelectField } from "../../components/field.tsx";
import { fullName, type TableName, tableLabel } from "../data-chat/table-name.ts";
import { tablesOf } from "./agent-tables.ts";
import type { DescriptionProps } from "./describe-agent.tsx";
import { useTableColumns } from "./table-columns.ts";

/** Which columns of two tables hold the same thing. */
export function Joins({ editor, readOnly }: DescriptionProps) {
  const { agent, context, changeContext, errorOf } = editor;
  const tables = tablesOf(context) ?? [];
  const change = (at: number, side: "leftSchemaPaths" | "rightSchemaPaths", paths: Paths) =>
    changeContext((draft) => Object.assign(draft.schemaRelationships[at] ?? {}, { [side]: paths }));
  return (
    <div className="stack">
      <p className="muted">
        Keys that the database declares are known. A join that is written here is not a guess any more.
      </p>
      {context.schemaRelationships.map(({ leftSchemaPaths: left, rightSchemaPaths: right }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: joins have no other identity while they are chosen
        <section key={at} className="describe-join" aria-label={`Join ${at + 1}`}>
          <div className="describe-join-sides">
            <Side
              {...{ tables, readOnly }}
              agent={agent.name}
              side={left}
              name="From"
              onChange={(paths) => change(at, "leftSchemaPaths", paths)}
            />
            <Side
              {...{ tables, readOnly }}
              agent={agent.name}
              side={right}
              name="To"
              onChange={(paths) => change(at, "rightSchemaPaths", paths)}
            />
            {!readOnly && (
              <IconButton
                label={`Remove join ${at + 1}`}
                onPress={() => changeContext((draft) => void draft.schemaRelationships.splice(at, 1))}
              >
                <Trash2 size={16} aria-hidden="true" />
              </IconButton>
            )}
          </div>
          <p className="describe-invalid" role="alert">
            {errorOf(`schema_relationships[${at}]`)}
          </p>
        </section>
      ))}
      {!readOnly && tables.length > 0 && (
        <div>
          <Button
            onPress={() => changeContext((draft) => void draft.schemaRelationships.push(create(RelationshipSchema)))}
          >
            <Plus size={16} aria-hidden="true" /> Add join
          </Button>
        </div>
      )}
    </div>
  );
}

interface SideProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly tables: readonly TableName[];
  readonly side: Paths | undefined;
  /** "From" or "To". */
  readonly name: string;
  readonly readOnly: boolean;
  readonly onChange: (paths: Paths) => void;
}

/** A table and its column. Several columns, and tables that are written otherwise, are shown as they are. */
function Side({ agent, tables, side, name, readOnly, onChange }: SideProps) {
  const table = tables.find((one) => isNamed(one, side?.tableFqn ?? ""));
  const columns = useTableColumns(agent, table);
  const { tableFqn = "", paths = [] } = side ?? {};
  const written = paths.join(", ");
  return (
    <>
      <SelectField
        label={`${name} table`}
        disabled={readOnly}
        value={table ? fullName(table) : tableFqn}
        choices={withOwn(
          tables.map((one) => ({ value: fullName(one), label: tableLabel(one) })),
          table ? "" : tableFqn,
        )}
        onChange={(chosen) => onChange(create(PathsSchema, { tableFqn: chosen }))}
      />
      <SelectField
        label={`${name} column`}
        disabled={readOnly || !table || columns.isLoading}
        hint={hintOf(columns)}
        value={written}
        choices={withOwn(
          (columns.data ?? []).map((column) => ({ value: column.name, label: column.name })),
          written,
        )}
        onChange={(column) => onChange(create(PathsSchema, { tableFqn, paths: [column] }))}
      />
    </>
  );
}

/** What is told while there is nothing to choose from. */
function hintOf({ isLoading, error }: Pick<ReturnType<typeof useTableColumns>, "isLoading" | "error">) {
  if (isLoading) return "Loading columns…";
  return error ? `The columns cannot be read: ${toStatusError(error).message}` : undefined;
}

/** `orders`, `shop.orders` and `project.shop.orders` name the same table. */
function isNamed(table: TableName, name: string): boolean {
  return name !== "" && (fullName(table) === name || fullName(table).endsWith(`.${name}`));
}

function withOwn(choices: readonly { readonly value: string; readonly label: string }[], own: string) {
  return own === "" || choices.some(({ value }) => value === own) ? choices : [...choices, { value: own, label: own }];
}
