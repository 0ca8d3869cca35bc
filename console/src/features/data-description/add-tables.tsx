import { Plus } from "lucide-react";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { DialogButton } from "../../components/dialog-button.tsx";
import { TextField } from "../../components/field.tsx";
import { fullName, parseTableName, type TableName } from "../data-chat/table-name.ts";
import { ChooseTables, type ChosenTables } from "./choose-tables.tsx";

interface AddTablesProps {
  /** The project and location of the data agent. */
  readonly parent: string;
  /** What the data agent has. */
  readonly tables: readonly TableName[];
  readonly onAdd: (tables: readonly TableName[]) => void;
}

/** Opens the dialog in which more tables are chosen, or typed where a database does not list them. */
export function AddTables(props: AddTablesProps) {
  return (
    <div>
      <DialogButton dialog={(close) => <AddTablesDialog {...props} onClose={close} />}>
        <Plus size={16} aria-hidden="true" /> Add tables
      </DialogButton>
    </div>
  );
}

function AddTablesDialog({ parent, tables, onAdd, onClose }: AddTablesProps & { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<ChosenTables>(new Map());
  const [name, setName] = useState("");
  const typed = name.trim() === "" ? undefined : parseTableName(name);
  const has = (table: TableName) => tables.some((other) => fullName(other) === fullName(table));
  const error =
    name.trim() !== "" && !typed
      ? "Write it as project.dataset.table."
      : typed && has(typed)
        ? "The data agent has this table already."
        : undefined;
  const added = [...new Map([...chosen, ...(typed ? [[fullName(typed), typed] as const] : [])]).values()];
  const press = () => {
    onAdd(added);
    onClose();
  };
  return (
    <Dialog title="Add tables" open dismissable={false} onClose={onClose}>
      <div className="stack">
        <ChooseTables parent={parent} has={tables} chosen={chosen} onChange={setChosen} />
        <TextField
          label="Another table"
          placeholder="project.dataset.table"
          value={name}
          error={error}
          onChange={setName}
        />
      </div>
      <DialogActions
        action={added.length > 1 ? `Add ${added.length} tables` : "Add table"}
        isDisabled={added.length === 0 || error !== undefined}
        onAction={press}
        onCancel={onClose}
      />
    </Dialog>
  );
}
