import { Database } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { Button } from "../../components/button.tsx";
import { ConnectDatabase } from "./connect-database.tsx";

/**
 * Opens the dialog that connects a database; nothing for people who may not. `parent`: `projects/*​/locations/*`. The dialog is in the chunk of the page:
 * one of its own would share less with the first page than that loads, and split its chunks.
 */
export function ConnectDatabaseButton({ parent }: { readonly parent: string }) {
  const [open, setOpen] = useState(false);
  const may = useMay(parent.split("/").slice(0, 2).join("/"));
  if (!may("geminidataanalytics.dataConnections.create")) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Database size={16} aria-hidden="true" /> Connect a database
      </Button>
      {open && <ConnectDatabase parent={parent} onClose={() => setOpen(false)} />}
    </>
  );
}
