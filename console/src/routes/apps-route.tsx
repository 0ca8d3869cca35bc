import { Link } from "@tanstack/react-router";
import { FolderUp } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../api/permissions.ts";
import { locationOf, parseAppName } from "../api/resource-names.ts";
import { useApps } from "../api/use-apps.ts";
import { Button } from "../components/button.tsx";
import { ListPage } from "../components/list-page.tsx";
import { Table } from "../components/table.tsx";
import { filesFromDrop, type PackageFile } from "../features/packages/package-files.ts";
import { ValidationBadge } from "../features/resources/validation-error-list.tsx";

const ImportDialog = lazy(() => import("../features/packages/import-dialog.tsx"));
const CreateAppDialog = lazy(() => import("../features/packages/create-app-dialog.tsx"));

/** Where apps are put when there is none yet. */
const FIRST_PARENT = "projects/local/locations/us";

/** Milliseconds between two polls of the list. */
const POLL_INTERVAL_MS = 5_000;

/** Every app of the server. A package can be dropped anywhere on it. */
export function AppsRoute() {
  const apps = useApps({ every: POLL_INTERVAL_MS });
  const [open, setOpen] = useState<"new" | "import">();
  const [dropped, setDropped] = useState<readonly PackageFile[]>();
  const first = apps.data?.[0];
  const parent = first ? locationOf(first.name) : FIRST_PARENT;
  const mayCreate = useMay(parent.split("/").slice(0, 2).join("/"))("ces.apps.create");
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
        void filesFromDrop(event.dataTransfer.items).then((files) => {
          setDropped(files);
          setOpen("import");
        });
      }}
    >
      <ListPage
        title="Apps"
        list={apps}
        rows="apps"
        find={textOf}
        actions={
          mayCreate && (
            <Button onPress={() => setOpen("import")}>
              <FolderUp size={16} aria-hidden="true" /> Import
            </Button>
          )
        }
        create={mayCreate ? { label: "Create app", onPress: () => setOpen("new") } : undefined}
        empty={{
          title: "No apps yet",
          text: "Create an app, or drop an exported app package here: a ZIP file or a folder.",
        }}
      >
        {(rows) => <AppTable apps={rows} />}
      </ListPage>
      <Suspense>
        {open === "import" && <ImportDialog parent={parent} onClose={close} dropped={dropped} />}
        {open === "new" && <CreateAppDialog parent={parent} onClose={close} />}
      </Suspense>
    </div>
  );
}

/** What is searched of an app. */
const textOf = ({ name, displayName }: { readonly name: string; readonly displayName: string }) =>
  `${displayName} ${name}`;

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
            <Link
              to="/console/projects/$project/locations/$location/apps/$app/simulator"
              params={{ ...parseAppName(name) }}
            >
              {displayName || parseAppName(name).app}
            </Link>
          ),
        },
        { id: "where", heading: "Resource name", cell: ({ name }) => <code>{name}</code> },
        {
          id: "problems",
          heading: "Status",
          cell: ({ validationErrors }) => <ValidationBadge sentences={validationErrors} />,
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
