import { Database } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { Button } from "../../components/button.tsx";

const ConnectDatabase = lazy(() =>
  import("./connect-database.tsx").then((view) => ({ default: view.ConnectDatabase })),
);

/** Opens the dialog that connects a database; nothing for people who may not. `parent`: `projects/*​/locations/*`. */
export function ConnectDatabaseButton({ parent }: { readonly parent: string }) {
  const [open, setOpen] = useState(false);
  const may = useMay(parent.split("/").slice(0, 2).join("/"));
  if (!may("geminidataanalytics.dataConnections.create")) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Database size={16} aria-hidden="true" /> Connect a database
      </Button>
      {open && (
        <Suspense>
          <ConnectDatabase parent={parent} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
