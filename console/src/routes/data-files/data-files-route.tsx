import { createConnectQueryKey, useInfiniteQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { type DataFile, DataFile_Format as Format } from "@frontdesk/protos/gda/data_file";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ComponentProps, useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { useProjects } from "../../api/projects.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { SelectField } from "../../components/field.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { ConnectDatabaseButton } from "../../features/data-connections/connect-database-button.tsx";
import { ConnectedDatabases } from "../../features/data-connections/connected-databases.tsx";
import { NewDataAgentButton } from "../../features/data-description/new-data-agent-button.tsx";
import { FileDrop } from "../../features/data-files/file-drop.tsx";
import { DATA_FILE, FILE_TYPES, parseDataFile, uploadFile } from "../../features/data-files/upload-file.ts";
import { ALL_PAGES, NamedRows, useAllRead } from "../../features/resources/named-rows.tsx";
import "../../styles/data-files.css";

/** The location of files that are uploaded here. */
const LOCATION = "locations/us";

/** Files with tables that people uploaded and databases that they connected, and where more are brought. */
export function DataFilesRoute() {
  const list = useInfiniteQuery(DataAgentService.method.listDataFiles, ALL_PAGES.request, ALL_PAGES.options);
  useAllRead(list);
  const files = list.data?.pages.flatMap(({ dataFiles }) => dataFiles);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const projects = useProjects();
  const [chosen, setProject] = useState("");
  const project = chosen || projects[0] || "";
  const may = useMay(project);
  const [uploading, setUploading] = useState<string>();
  const [error, setError] = useState<StatusError>();
  const upload = (file: File) => {
    setUploading(file.name);
    setError(undefined);
    uploadFile(`${project}/${LOCATION}`, file)
      .then(async (name) => {
        await queries.invalidateQueries({
          queryKey: createConnectQueryKey({ schema: DataAgentService.method.listDataFiles, cardinality: undefined }),
        });
        await navigate({ to: DATA_FILE, params: parseDataFile(name) });
      })
      .catch((cause: unknown) => setError(toStatusError(cause)))
      .finally(() => setUploading(undefined));
  };
  return (
    <ListPage
      title="Data"
      actions={
        <>
          <ConnectDatabaseButton parent={`${project}/${LOCATION}`} />
          <NewDataAgentButton project={project} />
        </>
      }
      list={{ ...list, data: files }}
      rows="files"
      find={textOf}
      filter={
        <>
          {projects.length > 1 && (
            <SelectField
              label="Project"
              value={project}
              choices={projects.map((name) => ({ value: name, label: name.slice("projects/".length) }))}
              onChange={setProject}
            />
          )}
          {may("geminidataanalytics.dataFiles.create") && (
            <FileDrop
              title={uploading ? `Reading ${uploading}…` : "Drop a file here"}
              hint="CSV, JSON, Excel, Parquet or SQLite, up to 64 MB"
              types={FILE_TYPES}
              button="Choose file"
              disabled={uploading !== undefined}
              onFiles={([file]) => file && upload(file)}
            />
          )}
          {error && <Banner tone="error" error={error} />}
        </>
      }
    >
      {(rows) => (
        <>
          {rows.length > 0 && <FileRows rows={rows} list={list} />}
          <ConnectedDatabases />
        </>
      )}
    </ListPage>
  );
}

function textOf({ displayName, tables }: DataFile): string {
  return `${displayName} ${tables.map(({ tableId }) => tableId).join(" ")}`;
}

function FileRows(props: Pick<ComponentProps<typeof NamedRows<DataFile>>, "rows" | "list">) {
  return (
    <NamedRows
      {...props}
      label="Uploaded files"
      link={({ name, displayName }) => (
        <Link to={DATA_FILE} params={parseDataFile(name)}>
          {displayName}
        </Link>
      )}
      columns={[
        { id: "format", heading: "Format", cell: ({ format }) => Format[format] ?? "" },
        { id: "tables", heading: "Tables", number: true, cell: ({ tables }) => tables.length },
        {
          id: "rows",
          heading: "Rows",
          number: true,
          cell: ({ tables }) => tables.reduce((sum, { rowCount }) => sum + Number(rowCount), 0).toLocaleString(),
        },
        {
          id: "uploaded",
          heading: "Uploaded",
          cell: ({ createTime }) => <DateTime time={createTime} />,
        },
      ]}
    />
  );
}
