import { Link } from "@tanstack/react-router";
import { FolderUp, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { parseAppName } from "../api/app-name.ts";
import { toRefusal } from "../api/refusal.ts";
import { useApps } from "../api/use-apps.ts";
import { Badge } from "../components/badge.tsx";
import { Banner } from "../components/banner.tsx";
import { Busy } from "../components/busy.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Page } from "../components/page.tsx";
import { Table } from "../components/table.tsx";
import { droppedFiles, type PackedFile } from "../features/packages/dropped-files.ts";

const ImportDialog = lazy(() => import("../features/packages/import-dialog.tsx"));
const NewAppDialog = lazy(() => import("../features/packages/new-app-dialog.tsx"));

/** Where apps are put when there is none yet. */
const FIRST_PARENT = "projects/local/locations/us";

/** Milliseconds between two looks at the list. */
const LOOK_AGAIN = 5_000;

/** Every app of the server. A package can be dropped anywhere on it. */
export function AppsRoute() {
  const apps = useApps({ every: LOOK_AGAIN });
  const [open, setOpen] = useState<"new" | "import">();
  const [dropped, setDropped] = useState<readonly PackedFile[]>();
  const first = apps.data?.[0];
  const parent = first ? first.name.split("/").slice(0, 4).join("/") : FIRST_PARENT;
  const close = () => {
    setOpen(undefined);
    setDropped(undefined);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the pointer's way; the button is everybody's
    <div
      className="apps-page"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void droppedFiles(event.dataTransfer.items).then((files) => {
          setDropped(files);
          setOpen("import");
        });
      }}
    >
      <Page
        title="Apps"
        actions={
          <>
            <Button onPress={() => setOpen("import")}>
              <FolderUp size={16} aria-hidden="true" /> Import
            </Button>
            <Button tone="primary" onPress={() => setOpen("new")}>
              <Plus size={16} aria-hidden="true" /> New app
            </Button>
          </>
        }
      >
        {apps.error && <Banner tone="bad" refusal={toRefusal(apps.error)} />}
        {apps.isPending && <Busy>Reading the apps</Busy>}
        {apps.data?.length === 0 && (
          <EmptyState title="No app yet" action={<Button onPress={() => setOpen("new")}>Create the first app</Button>}>
            Create one, or drop a package here: a zip or a folder as the hosted product exports it.
          </EmptyState>
        )}
        {apps.data && apps.data.length > 0 && <AppTable apps={apps.data} />}
      </Page>
      <Suspense>
        {open === "import" && <ImportDialog parent={parent} onClose={close} {...(dropped && { dropped })} />}
        {open === "new" && <NewAppDialog parent={parent} onClose={close} />}
      </Suspense>
    </div>
  );
}

type Apps = NonNullable<ReturnType<typeof useApps>["data"]>;

function AppTable({ apps }: { readonly apps: Apps }) {
  return (
    <Table
      label="Apps"
      rows={apps}
      keyOf={({ name }) => name}
      columns={[
        {
          id: "name",
          heading: "Name",
          cell: ({ name, displayName }) => (
            <Link to="/console/projects/$project/locations/$location/apps/$app" params={{ ...parseAppName(name) }}>
              {displayName || parseAppName(name).app}
            </Link>
          ),
        },
        { id: "where", heading: "Resource name", cell: ({ name }) => <code>{name}</code> },
        {
          id: "problems",
          heading: "State",
          cell: ({ validationErrors }) =>
            validationErrors.length === 0 ? (
              <Badge tone="good">No problem found</Badge>
            ) : (
              <Badge tone="warning">{validationErrors.length} to look at</Badge>
            ),
        },
        {
          id: "edit",
          heading: "Edit",
          cell: ({ name, displayName }) => (
            <Link
              to="/console/projects/$project/locations/$location/apps/$app/agents"
              params={{ ...parseAppName(name) }}
            >
              Edit<span className="visually-hidden"> {displayName}</span>
            </Link>
          ),
        },
      ]}
    />
  );
}
