import { RestoreAppVersionResponseSchema } from "@frontdesk/protos/ces/agent_service";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Download, RotateCcw, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { agentService } from "../../api/clients.ts";
import { waitForOperation } from "../../api/operations.ts";
import { permissionOf, useMay } from "../../api/permissions.ts";
import { formatAppName, pagePath, resourceId, resourceTitle } from "../../api/resource-names.ts";
import { apps, versions } from "../../api/resource-types.ts";
import { toStatusError } from "../../api/status-error.ts";
import { useRefresh, useResource, useResources } from "../../api/use-resources.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { SelectField } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { ExportDialog } from "../../features/packages/export-dialog.tsx";
import { DeleteDialog } from "../../features/resources/delete-dialog.tsx";
import { ResourceNotFound } from "../../features/resources/resource-not-found.tsx";
import { useBaseVersion } from "../../features/versions/base-version.ts";
import { ChangeList } from "../../features/versions/change-list.tsx";
import { compareSnapshots } from "../../features/versions/compare-snapshots.ts";
import { DRAFT, useSnapshot } from "../../features/versions/use-snapshot.ts";
import "../../styles/edit/edit-page.css";

/** One version: how it differs from the draft, or from another one. */
export function VersionRoute() {
  const { project = "", location = "", app = "", version = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  const name = `${parent}/versions/${version}`;
  const list = useResources(versions, parent);
  const found = list.data?.find((one) => one.name === name);
  if (!found)
    return (
      <Page title={version}>
        {list.isPending ? (
          <Loading>Loading version…</Loading>
        ) : list.error ? (
          <Banner tone="error" error={toStatusError(list.error)} />
        ) : (
          <ResourceNotFound kind={versions} name={name} />
        )}
      </Page>
    );
  return <VersionPage key={name} app={parent} version={found} all={list.data ?? []} />;
}

interface VersionPageProps {
  readonly app: string;
  readonly version: AppVersion;
  readonly all: readonly AppVersion[];
}

function VersionPage({ app, version, all }: VersionPageProps) {
  const navigate = useNavigate();
  const [base, setBase] = useBaseVersion();
  const [open, setOpen] = useState<"restore" | "delete" | "export">();
  const draft = useResource(apps, app).data;
  const may = useMay(app);
  const close = () => setOpen(undefined);
  return (
    <Page
      title={resourceTitle(version)}
      actions={
        <>
          {draft && may("ces.apps.export") && (
            <Button onPress={() => setOpen("export")}>
              <Download size={16} aria-hidden="true" /> Export
            </Button>
          )}
          {may("ces.appVersions.restore") && (
            <Button onPress={() => setOpen("restore")}>
              <RotateCcw size={16} aria-hidden="true" /> Restore
            </Button>
          )}
          {may(permissionOf("versions", "delete")) && (
            <IconButton label="Delete version" onPress={() => setOpen("delete")}>
              <Trash2 size={17} aria-hidden="true" />
            </IconButton>
          )}
        </>
      }
    >
      <div className="edit-page">
        {version.description && <p className="muted">{version.description}</p>}
        <div className="select-row">
          <SelectField
            label="Base version"
            value={base}
            choices={[
              { value: DRAFT, label: "Draft" },
              ...all
                .filter(({ name }) => name !== version.name)
                .map((other) => ({ value: resourceId(other.name), label: resourceTitle(other) })),
            ]}
            onChange={setBase}
          />
        </div>
        <Comparison app={app} version={version.name} base={base === DRAFT ? DRAFT : `${app}/versions/${base}`} />
      </div>
      {open === "restore" && <RestoreDialog app={app} version={version} onClose={close} />}
      {open === "export" && draft && <ExportDialog app={draft} version={version} onClose={close} />}
      {open === "delete" && (
        <DeleteDialog
          kind={versions}
          resource={version}
          onDeleted={() => void navigate({ to: `${pagePath(app)}/versions` })}
          onClose={close}
        />
      )}
    </Page>
  );
}

interface ComparisonProps {
  readonly app: string;
  readonly version: string;
  /** Resource name of a version, or `DRAFT`. */
  readonly base: string;
}

/** What changes from the base to this version: what restoring it would do to the base. */
function Comparison({ app, version, base }: ComparisonProps) {
  const [before, after] = [useSnapshot(app, base), useSnapshot(app, version)];
  const changes = useMemo(
    () => (before.data && after.data ? compareSnapshots(before.data, after.data) : undefined),
    [before.data, after.data],
  );
  const error = before.error ?? after.error;
  if (error) return <Banner tone="error" error={toStatusError(error)} />;
  if (!changes) return <Loading>Comparing…</Loading>;
  return (
    <>
      <p className="muted">
        From {base === DRAFT ? "the draft" : "the base version"} to this version: lines with − are only in{" "}
        {base === DRAFT ? "the draft" : "the base version"}, lines with + are only in this version.
      </p>
      <ChangeList changes={changes} />
    </>
  );
}

function RestoreDialog({
  app,
  version,
  onClose,
}: {
  readonly app: string;
  readonly version: AppVersion;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { submit, running, error } = useSubmission(async () => {
    await waitForOperation(
      await agentService.restoreAppVersion({ name: version.name }),
      RestoreAppVersionResponseSchema,
    );
    await refresh();
    await navigate({ to: `${pagePath(app)}/agents` });
  });
  return (
    <Dialog title={`Restore “${resourceTitle(version)}”?`} open onClose={onClose}>
      <p>
        Restoring replaces the agents, tools, guardrails, examples and settings of the draft with those of this version.
      </p>
      <p className="muted">Changes that are not in any version are lost. To keep them, create a version first.</p>
      {error && <Banner tone="error" error={error} />}
      <DialogActions
        tone="danger"
        action="Restore"
        runningLabel="Restoring…"
        running={running}
        onAction={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
}
