import { useEffect, useState } from "react";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox, TextField } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { fullName, type TableName, tableLabel } from "../data-chat/table-name.ts";
import { useFoundTables } from "./found-tables.ts";

/** Chosen tables by their full names. */
export type ChosenTables = ReadonlyMap<string, TableName>;

interface ChooseTablesProps {
  /** The project and location of the data agent. */
  readonly parent: string;
  /** What the data agent has already. */
  readonly has?: readonly TableName[];
  readonly chosen: ChosenTables;
  readonly onChange: (chosen: ChosenTables) => void;
}

/** Databases are asked when nothing was typed for so long. */
const SETTLED_MS = 300;

/** Tables that may be asked, found by words of their names: those of files, of data agents, and of what the configuration maps. */
export function ChooseTables({ parent, has = [], chosen, onChange }: ChooseTablesProps) {
  const [search, setSearch] = useState("");
  const found = useFoundTables(parent, useSettled(search.trim()));
  const own = new Set(has.map(fullName));
  const shown = found.tables.filter(({ name }) => !own.has(fullName(name)));
  return (
    <fieldset className="describe-choice">
      <legend>Tables</legend>
      <TextField label="Search tables" hideLabel placeholder="Search tables" value={search} onChange={setSearch} />
      <div className="describe-found">
        {shown.map(({ name, about }) => (
          <div key={fullName(name)} className="row">
            <Checkbox
              label={tableLabel(name)}
              selected={chosen.has(fullName(name))}
              onChange={(selected) => onChange(withTable(chosen, name, selected))}
            />
            <code>{tableLabel(name)}</code> <span className="muted truncate">{about}</span>
          </div>
        ))}
        {found.isReading ? (
          <Loading>Reading the tables…</Loading>
        ) : (
          shown.length === 0 && (
            <p className="muted">{search.trim() ? "No other table has such a name." : "No other tables are listed."}</p>
          )
        )}
        {found.readMore && !found.isReading && (
          <Button small onPress={found.readMore}>
            More tables
          </Button>
        )}
      </div>
      {found.error && <Banner tone="error" error={found.error} />}
      {found.unreachable.map(({ source, message }) => (
        <Banner key={source} tone="warning">
          <p>
            <code>{source}</code>: {message}
          </p>
        </Banner>
      ))}
    </fieldset>
  );
}

function withTable(before: ChosenTables, table: TableName, selected: boolean): ChosenTables {
  const after = new Map(before);
  if (selected) after.set(fullName(table), table);
  else after.delete(fullName(table));
  return after;
}

/** The text, when it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
