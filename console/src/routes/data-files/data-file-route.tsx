import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import type { DataFile } from "@frontdesk/protos/gda/data_file";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { MessageCircleQuestion, Trash2 } from "lucide-react";
import { useState } from "react";
import { locationOf, parseDataAgent, resourceId } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { TableView } from "../../features/data-files/table-view.tsx";
import "../../styles/data-files.css";

const DATA_AGENT = "/console/projects/$project/locations/$location/dataAgents/$agent";

/** An uploaded file: what its columns have, an agent made of it, its removal. */
export function DataFileRoute() {
  const { project, location, file } = useParams({
    from: "/console/projects/$project/locations/$location/dataFiles/$file",
  });
  const name = `projects/${project}/locations/${location}/dataFiles/${file}`;
  const { data, error, refetch } = useQuery(
    DataAgentService.method.getDataFile,
    { name },
    { refetchOnMount: "always" },
  );
  const [removing, setRemoving] = useState(false);
  return (
    <Page
      title={data?.displayName ?? "Data file"}
      actions={
        data && (
          <>
            <Button onPress={() => setRemoving(true)}>
              <Trash2 size={16} aria-hidden="true" /> Remove
            </Button>
            <AskFile file={data} />
          </>
        )
      }
    >
      <div className="stack data-file">
        {error && <Banner tone="error" error={toStatusError(error)} />}
        {!data && !error && <Loading>Loading the file…</Loading>}
        {data && data.dataAgents.length > 0 && <Readers agents={data.dataAgents} />}
        {data?.tables.map((table) => (
          <TableView key={table.tableId} file={name} table={table} onChanged={() => void refetch()} />
        ))}
      </div>
      {data && <RemoveFile file={data} open={removing} onClose={() => setRemoving(false)} />}
    </Page>
  );
}

/** Makes a data agent of all tables of the file, which may have many, and opens it. */
function AskFile({ file }: { readonly file: DataFile }) {
  const navigate = useNavigate();
  const make = useMutation(DataAgentService.method.createDataAgentSync, {
    onSuccess: ({ name }) => navigate({ to: DATA_AGENT, params: parseDataAgent(name) }),
  });
  const press = () =>
    make.mutate({
      parent: locationOf(file.name),
      dataAgent: {
        displayName: file.displayName.replace(/\.[^.]*$/, ""),
        type: {
          case: "dataAnalyticsAgent",
          value: {
            publishedContext: {
              datasourceReferences: { references: { case: "bq", value: { tableReferences: referencesOf(file) } } },
            },
          },
        },
      },
    });
  return (
    <>
      {make.error && <Banner tone="error" error={toStatusError(make.error)} />}
      <Button tone="primary" isDisabled={make.isPending} onPress={press}>
        <MessageCircleQuestion size={16} aria-hidden="true" />{" "}
        {make.isPending ? "Creating the agent…" : "Ask this data"}
      </Button>
    </>
  );
}

function referencesOf({ tables }: DataFile) {
  return tables.flatMap(({ tableReference }) => tableReference ?? []);
}

function Readers({ agents }: { readonly agents: readonly string[] }) {
  return (
    <p className="muted">
      Asked by{" "}
      {agents.map((agent, at) => (
        <span key={agent}>
          {at > 0 && ", "}
          <Link to={DATA_AGENT} params={parseDataAgent(agent)}>
            {resourceId(agent)}
          </Link>
        </span>
      ))}
    </p>
  );
}

interface RemoveFileProps {
  readonly file: DataFile;
  readonly open: boolean;
  readonly onClose: () => void;
}

function RemoveFile({ file, open, onClose }: RemoveFileProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = useMutation(DataAgentService.method.deleteDataFile, {
    onSuccess: async () => {
      await queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: DataAgentService.method.listDataFiles, cardinality: undefined }),
        refetchType: "all",
      });
      await navigate({ to: "/console/dataFiles" });
    },
  });
  const { name, displayName, dataAgents } = file;
  return (
    <ConfirmDialog
      open={open}
      name={displayName}
      action="Remove file"
      error={remove.error ? toStatusError(remove.error) : undefined}
      running={remove.isPending}
      onConfirm={() => remove.mutate({ name, force: dataAgents.length > 0 })}
      onClose={onClose}
    >
      The file and all that was read of it are removed.
      {dataAgents.length > 0 &&
        ` These data agents cannot be asked about it any more: ${dataAgents.map(resourceId).join(", ")}.`}
    </ConfirmDialog>
  );
}
