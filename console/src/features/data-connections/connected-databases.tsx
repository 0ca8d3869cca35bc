import { createConnectQueryKey, useInfiniteQuery, useMutation, useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import type { DataConnection } from "@frontdesk/protos/gda/data_connection";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { resourceId } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { ALL_PAGES, NamedRows } from "../resources/named-rows.tsx";
import { counted, engineLabel } from "./engines.ts";

/** Databases that people connected, with a test and the removal of each; nothing where there are none. */
export function ConnectedDatabases() {
  const list = useInfiniteQuery(DataAgentService.method.listDataConnections, ALL_PAGES.request, {
    ...ALL_PAGES.options,
    retry: false,
  });
  const rows = list.data?.pages.flatMap(({ dataConnections }) => dataConnections) ?? [];
  const [removing, setRemoving] = useState<DataConnection>();
  if (rows.length === 0) return null;
  return (
    <section className="stack" aria-label="Databases">
      <h2>Databases</h2>
      <NamedRows
        label="Connected databases"
        rows={rows}
        list={list}
        link={({ displayName }) => displayName}
        columns={[
          { id: "engine", heading: "Engine", cell: ({ engine }) => engineLabel(engine) },
          { id: "place", heading: "Place", cell: placeOf },
          { id: "connected", heading: "Connected", cell: ({ createTime }) => <DateTime time={createTime} /> },
          { id: "tables", heading: "Tables", number: true, cell: ({ tableCount }) => tableCount },
          {
            id: "test",
            heading: "Connection",
            cell: ({ name, displayName }) => <TestButton name={name} label={displayName} />,
          },
          {
            id: "remove",
            heading: "Removal",
            cell: (connection) => (
              <Button small aria-label={`Remove ${connection.displayName}`} onPress={() => setRemoving(connection)}>
                Remove
              </Button>
            ),
          },
        ]}
      />
      {removing && <RemoveConnection connection={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  );
}

function placeOf({ host, database, schema }: DataConnection): string {
  return [`${host}/${database}`, schema].filter(Boolean).join("/");
}

function TestButton({ name, label }: { readonly name: string; readonly label: string }) {
  const test = useMutation(DataAgentService.method.testDataConnection);
  return (
    <>
      <Button small aria-label={`Test ${label}`} isDisabled={test.isPending} onPress={() => test.mutate({ name })}>
        {test.isPending ? "Testing…" : "Test"}
      </Button>{" "}
      <span role="status">
        {test.data && `It answers, with ${counted(test.data.tableCount)}.`}
        {test.error && toStatusError(test.error).message}
      </span>
    </>
  );
}

interface RemoveConnectionProps {
  readonly connection: DataConnection;
  readonly onClose: () => void;
}

function RemoveConnection({ connection: { name, displayName }, onClose }: RemoveConnectionProps) {
  const queries = useQueryClient();
  const { data } = useQuery(DataAgentService.method.getDataConnection, { name }, { refetchOnMount: "always" });
  const agents = data?.dataAgents ?? [];
  const remove = useMutation(DataAgentService.method.deleteDataConnection, {
    onSuccess: async () => {
      const schema = DataAgentService.method.listDataConnections;
      await queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: undefined }) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      name={displayName}
      action="Remove database"
      error={remove.error ? toStatusError(remove.error) : undefined}
      running={remove.isPending || !data}
      onConfirm={() => remove.mutate({ name, force: agents.length > 0 })}
      onClose={onClose}
    >
      The connection and all that was read of it are removed; the database itself stays as it is.
      {agents.length > 0 &&
        ` These data agents cannot be asked about it any more: ${agents.map(resourceId).join(", ")}.`}
    </ConfirmDialog>
  );
}
