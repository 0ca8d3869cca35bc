import { useMutation, useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { errorAt, fieldErrors } from "../../api/field-errors.ts";
import { parseDataAgent } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Checkbox, TextField } from "../../components/field.tsx";
import { fullName, isUpload, parseTableName, type TableName, tableLabel } from "../data-chat/table-name.ts";
import { contextOf } from "./agent-parts.ts";
import { tablesOf } from "./describe-tables.tsx";
import "../../styles/data-description.css";

interface NewDataAgentProps {
  /** Where it is made: `projects/*​/locations/*`. */
  readonly parent: string;
  readonly onClose: () => void;
}

/** Where the page of a data agent is, as the router writes addresses. */
const DATA_AGENT = "/console/projects/$project/locations/$location/dataAgents/$agent";

/** Makes a data agent of tables of uploaded files, and of those that the configuration maps, and opens it to be described. */
export function NewDataAgent({ parent, onClose }: NewDataAgentProps) {
  const [displayName, setDisplayName] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [others, setOthers] = useState("");
  const known = useKnownTables(parent);
  const navigate = useNavigate();
  const make = useMutation(DataAgentService.method.createDataAgentSync, {
    onSuccess: ({ name }) => navigate({ to: DATA_AGENT, params: parseDataAgent(name), hash: "describe" }),
  });
  const lines = others.split(/[\n,]+/).filter((line) => line.trim() !== "");
  const wrong = lines.filter((line) => !parseTableName(line));
  const typed = lines.flatMap((line) => parseTableName(line) ?? []);
  const picked = known.filter(({ table }) => chosen.has(fullName(table))).map(({ table }) => table);
  const tables = [...new Map([...picked, ...typed].map((table) => [fullName(table), table])).values()];
  const errors = fieldErrors(make.error ?? undefined, "data_agent");
  const press = () => {
    const references = { case: "bq" as const, value: { tableReferences: tables } };
    const context = { datasourceReferences: { references } };
    const type = { case: "dataAnalyticsAgent" as const, value: { publishedContext: context } };
    make.mutate({ parent, dataAgent: { displayName: displayName.trim(), type } });
  };
  return (
    <Dialog title="New data agent" open dismissable={false} onClose={onClose}>
      <div className="stack">
        <TextField
          label="Name"
          value={displayName}
          error={errorAt(errors, "display_name")}
          onChange={setDisplayName}
          placeholder="Sales"
        />
        {known.length > 0 && (
          <fieldset className="describe-choice">
            <legend>Tables</legend>
            {known.map(({ table, from }) => (
              <div key={fullName(table)} className="row">
                <Checkbox
                  label={tableLabel(table)}
                  selected={chosen.has(fullName(table))}
                  onChange={(selected) => setChosen((before) => toggled(before, fullName(table), selected))}
                />
                <code>{tableLabel(table)}</code> <span className="muted truncate">{from}</span>
              </div>
            ))}
          </fieldset>
        )}
        <TextField
          label={known.length > 0 ? "Other tables" : "Tables"}
          lines={3}
          placeholder="acme.sales.orders"
          value={others}
          error={wrong.length > 0 ? `Not of the form project.dataset.table: ${wrong.join(", ")}` : undefined}
          hint="One a line. A source acme.sales of the configuration has tables like acme.sales.orders."
          onChange={setOthers}
        />
        {make.error && <Banner tone="error" error={toStatusError(make.error)} />}
      </div>
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          tone="primary"
          isDisabled={displayName.trim() === "" || tables.length === 0 || wrong.length > 0 || make.isPending}
          onPress={press}
        >
          {make.isPending ? "Creating…" : "Create data agent"}
        </Button>
      </div>
    </Dialog>
  );
}

/** What was made a moment ago is there, too. */
const NOW = { refetchOnMount: "always" } as const;

interface KnownTable {
  readonly table: TableName;
  /** The file or the data agent that it is known from. */
  readonly from: string;
}

/** Tables of the files and of the data agents that the person sees. */
function useKnownTables(parent: string): readonly KnownTable[] {
  const files = useQuery(DataAgentService.method.listDataFiles, { parent, pageSize: 100 }, NOW).data?.dataFiles ?? [];
  const agents =
    useQuery(DataAgentService.method.listDataAgents, { parent, pageSize: 100 }, NOW).data?.dataAgents ?? [];
  const uploaded = files.flatMap(({ displayName, tables }) =>
    tables.flatMap(({ tableReference }) => (tableReference ? [{ table: tableReference, from: displayName }] : [])),
  );
  const asked = agents.flatMap((agent) =>
    (tablesOf(contextOf(agent)) ?? [])
      .filter(({ datasetId }) => !isUpload(datasetId))
      .map((table) => ({ table, from: agent.displayName })),
  );
  const named = (one: KnownTable): TableName => {
    const { projectId, datasetId, tableId } = one.table;
    return { projectId, datasetId, tableId };
  };
  return [
    ...new Map(
      [...uploaded, ...asked].map((one) => [fullName(one.table), { table: named(one), from: one.from }]),
    ).values(),
  ];
}

function toggled(before: ReadonlySet<string>, name: string, selected: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (selected) after.add(name);
  else after.delete(name);
  return after;
}
