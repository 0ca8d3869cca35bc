import { useState } from "react";
import { locationOf } from "../../api/resource-names.ts";
import { TextField } from "../../components/field.tsx";
import { fullName, tableLabel } from "../data-chat/table-name.ts";
import { AddTables } from "./add-tables.tsx";
import { addTable, tablesOf } from "./agent-tables.ts";
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
      {!readOnly && (
        <AddTables
          parent={locationOf(agent.name)}
          tables={tables}
          onAdd={(added) =>
            changeContext((draft) => {
              for (const table of added) addTable(draft, table);
            })
          }
        />
      )}
    </div>
  );
}
