import { Code, ConnectError, createClient } from "@connectrpc/connect";
import {
  type Credential,
  CredentialService,
  Credential_Kind as Kind,
} from "@frontdesk/protos/identity/credential_service";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../api/permissions.ts";
import { useProjects } from "../api/projects.ts";
import { resourceId } from "../api/resource-names.ts";
import { listAllPages } from "../api/resource-types.ts";
import { transport } from "../api/transport.ts";
import { useSubmission } from "../api/use-submission.ts";
import { IconButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { DateTime } from "../components/date-time.tsx";
import { SelectField } from "../components/field.tsx";
import { ListPage } from "../components/list-page.tsx";
import { Table, type TableColumn } from "../components/table.tsx";
import { CreateKeyDialog } from "../features/access/create-key-dialog.tsx";
import type { NewCredential } from "../features/access/make-key-dialog.tsx";
import { ReplaceKeyDialog } from "../features/access/replace-key-dialog.tsx";

const credentials = createClient(CredentialService, transport);

/** The keys of programs, with their last use. */
export function KeysRoute() {
  const { project } = useSearch({ strict: false }) as { project?: string };
  const projects = useProjects();
  const parent = project ?? projects[0] ?? "";
  const navigate = useNavigate();
  const may = useMay(parent);
  const [creating, setCreating] = useState(false);
  const [replacing, setReplacing] = useState<Credential>();
  const [revoking, setRevoking] = useState<Credential>();
  const keys = useQuery({ queryKey: ["keys", parent], queryFn: () => readKeys(parent), enabled: parent !== "" });
  const create = (credential: NewCredential, universeDomain: string) =>
    credentials.createCredential({ parent, credential, universeDomain });
  const closeDialog = () => {
    setCreating(false);
    setReplacing(undefined);
    setRevoking(undefined);
    void keys.refetch();
  };
  return (
    <>
      <ListPage
        title="Keys"
        list={keys}
        rows="keys"
        create={
          may("identity.credentials.create") ? { label: "Create key", onPress: () => setCreating(true) } : undefined
        }
        filter={
          projects.length > 1 && (
            <SelectField
              label="Project"
              value={parent}
              choices={projects.map((name) => ({ value: name, label: name }))}
              onChange={(next) => void navigate({ to: "/console/keys", search: { project: next } as never })}
            />
          )
        }
        empty={{
          title: "No keys",
          text: "A program signs in with a key: a file that Google's clients read, or an API key.",
        }}
      >
        {(rows) => (
          <Table
            label="Keys"
            rows={rows}
            keyOf={({ name }) => name}
            columns={columns({
              replace: may("identity.credentials.create") ? setReplacing : undefined,
              revoke: may("identity.credentials.delete") ? setRevoking : undefined,
            })}
          />
        )}
      </ListPage>
      {creating && <CreateKeyDialog parent={parent} create={create} onClose={closeDialog} />}
      {replacing && <ReplaceKeyDialog parent={parent} replaced={replacing} create={create} onClose={closeDialog} />}
      {revoking && <RevokeDialog credential={revoking} onClose={closeDialog} />}
    </>
  );
}

/** What can be done with a key; undefined for what the person may not do. */
interface KeyActions {
  readonly replace: ((key: Credential) => void) | undefined;
  readonly revoke: ((key: Credential) => void) | undefined;
}

function columns({ replace, revoke }: KeyActions) {
  const all: readonly TableColumn<Credential>[] = [
    { id: "name", heading: "Name", cell: titleOf },
    { id: "kind", heading: "Kind", cell: ({ kind }) => (kind === Kind.API_KEY ? "API key" : "Key file") },
    { id: "principal", heading: "Member", cell: ({ principal }) => <code>{principal}</code> },
    { id: "made", heading: "Made", cell: ({ createTime }) => <DateTime time={createTime} /> },
    {
      id: "used",
      heading: "Last use",
      cell: ({ lastUsedTime }) => (lastUsedTime ? <DateTime time={lastUsedTime} /> : "Never"),
    },
    {
      id: "expires",
      heading: "Expires",
      cell: ({ expireTime }) => (expireTime ? <DateTime time={expireTime} /> : "Never"),
    },
    {
      id: "revoke",
      heading: "Action",
      cell: (row) => (
        <div className="row">
          {replace && (
            <IconButton small label={`Replace ${titleOf(row)}`} onPress={() => replace(row)}>
              <RefreshCw size={16} aria-hidden="true" />
            </IconButton>
          )}
          {revoke && (
            <IconButton small label={`Revoke ${titleOf(row)}`} onPress={() => revoke(row)}>
              <Trash2 size={16} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ),
    },
  ];
  return all;
}

function titleOf({ displayName, account, name }: Credential): string {
  return displayName || account || resourceId(name);
}

function readKeys(parent: string): Promise<readonly Credential[]> {
  return listAllPages(async (pageToken) => {
    const page = await credentials.listCredentials({ parent, pageSize: 1_000, pageToken });
    return { items: page.credentials, next: page.nextPageToken };
  });
}

function RevokeDialog({ credential, onClose }: { readonly credential: Credential; readonly onClose: () => void }) {
  const { submit, running, error } = useSubmission(async () => {
    await credentials.deleteCredential({ name: credential.name }).catch((error: unknown) => {
      // Somebody else was faster.
      if (ConnectError.from(error).code !== Code.NotFound) throw error;
    });
    onClose();
  });
  return (
    <ConfirmDialog
      open
      name={titleOf(credential)}
      action="Revoke"
      error={error}
      running={running}
      onConfirm={submit}
      onClose={onClose}
    >
      <p>Programs that use it are refused at once. Nothing brings the key back.</p>
    </ConfirmDialog>
  );
}
