import { RestoreAppVersionResponseSchema } from "@frontdesk/protos/ces/agent_service";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Download, RotateCcw, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { agentService } from "../../../api/agent-service.ts";
import { formatAppName } from "../../../api/app-name.ts";
import { finished } from "../../../api/finished.ts";
import { apps } from "../../../api/kinds/apps.ts";
import { versions } from "../../../api/kinds/versions.ts";
import { type Refusal, toRefusal } from "../../../api/refusal.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useRefresh, useResource, useResources } from "../../../api/use-resources.ts";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Pick } from "../../../components/field.tsx";
import { Page } from "../../../components/page.tsx";
import { ExportDialog } from "../../../features/packages/export-dialog.tsx";
import { DeleteDialog } from "../../../features/resources/delete-dialog.tsx";
import { ChangeList } from "../../../features/versions/change-list.tsx";
import { compareSnapshots } from "../../../features/versions/compare-snapshots.ts";
import { DRAFT, useSnapshot } from "../../../features/versions/use-snapshot.ts";
import "../../../styles/edit/edit-page.css";

/** One version: what has changed since, or between it and another one. */
export function VersionRoute() {
  const { project = "", location = "", app = "", version = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  const name = `${parent}/versions/${version}`;
  const list = useResources(versions, parent);
  const found = list.data?.find((one) => one.name === name);
  if (!found)
    return (
      <Page title="Version">
        {list.isPending ? (
          <Busy>Reading the version</Busy>
        ) : (
          <Banner tone="bad" {...(list.error && { refusal: toRefusal(list.error) })}>
            {!list.error && "There is no such version. It may have been deleted."}
          </Banner>
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
  const [against, setAgainst] = useState(DRAFT);
  const [open, setOpen] = useState<"restore" | "delete" | "export">();
  const draft = useResource(apps, app).data;
  const close = () => setOpen(undefined);
  return (
    <Page
      title={titleOf(version)}
      actions={
        <>
          {draft && (
            <Button onPress={() => setOpen("export")}>
              <Download size={16} aria-hidden="true" /> Export
            </Button>
          )}
          <Button onPress={() => setOpen("restore")}>
            <RotateCcw size={16} aria-hidden="true" /> Restore
          </Button>
          <IconButton label="Delete this version" onPress={() => setOpen("delete")}>
            <Trash2 size={17} aria-hidden="true" />
          </IconButton>
        </>
      }
    >
      <div className="edit-page">
        {version.description && <p className="muted">{version.description}</p>}
        <div className="pick-row">
          <Pick
            label="Compared with"
            value={against}
            choices={[
              { value: DRAFT, label: "The app as it is now" },
              ...all
                .filter(({ name }) => name !== version.name)
                .map((other) => ({ value: other.name, label: titleOf(other) })),
            ]}
            onChange={setAgainst}
          />
        </div>
        <Comparison app={app} version={version.name} against={against} />
      </div>
      {open === "restore" && <RestoreDialog app={app} version={version} onClose={close} />}
      {open === "export" && draft && <ExportDialog app={draft} version={version} onClose={close} />}
      {open === "delete" && (
        <DeleteDialog
          kind={versions}
          resource={version}
          onDeleted={() => void navigate({ to: `${addressOf(app)}/versions` })}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Comparison({
  app,
  version,
  against,
}: {
  readonly app: string;
  readonly version: string;
  readonly against: string;
}) {
  const [left, right] = [useSnapshot(app, version), useSnapshot(app, against)];
  const changes = useMemo(
    () => (left.data && right.data ? compareSnapshots(left.data, right.data) : undefined),
    [left.data, right.data],
  );
  const error = left.error ?? right.error;
  if (error) return <Banner tone="bad" refusal={toRefusal(error)} />;
  if (!changes) return <Busy>Comparing</Busy>;
  return (
    <>
      <p className="muted">Lines with − are of this version, lines with + of what it is compared with.</p>
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
  const [running, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const restore = async () => {
    setRunning(true);
    try {
      await finished(await agentService.restoreAppVersion({ name: version.name }), RestoreAppVersionResponseSchema);
      await refresh();
      await navigate({ to: `${addressOf(app)}/agents` });
    } catch (error) {
      setRefusal(toRefusal(error));
      setRunning(false);
    }
  };
  return (
    <Dialog title={`Restore “${titleOf(version)}”?`} open onClose={onClose}>
      <p>The app's agents, tools, guardrails, examples and settings become what they were in this version.</p>
      <p className="muted">
        What is not in a version is lost: make one of the app as it is now, if you may want it back.
      </p>
      {refusal && <Banner tone="bad" refusal={refusal} />}
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button tone="danger" isDisabled={running} onPress={() => void restore()}>
          {running ? "Restoring …" : "Restore"}
        </Button>
      </div>
    </Dialog>
  );
}
