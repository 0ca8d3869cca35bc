import { useMutation } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { errorAt, fieldErrors } from "../../api/field-errors.ts";
import { parseDataAgent } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { TextField } from "../../components/field.tsx";
import { fullName, parseTableName } from "../data-chat/table-name.ts";
import { ChooseTables, type ChosenTables } from "./choose-tables.tsx";
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
  const [chosen, setChosen] = useState<ChosenTables>(new Map());
  const [others, setOthers] = useState("");
  const navigate = useNavigate();
  const make = useMutation(DataAgentService.method.createDataAgentSync, {
    onSuccess: ({ name }) =>
      navigate({ to: DATA_AGENT, params: parseDataAgent(name), search: { view: "describe" } as never }),
  });
  const lines = others.split(/[\n,]+/).filter((line) => line.trim() !== "");
  const wrong = lines.filter((line) => !parseTableName(line));
  const typed = lines.flatMap((line) => parseTableName(line) ?? []);
  const tables = [...new Map([...chosen.values(), ...typed].map((table) => [fullName(table), table])).values()];
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
        <ChooseTables parent={parent} chosen={chosen} onChange={setChosen} />
        <TextField
          label="Other tables"
          lines={3}
          placeholder="acme.sales.orders"
          value={others}
          error={wrong.length > 0 ? `Not of the form project.dataset.table: ${wrong.join(", ")}` : undefined}
          hint="One a line: of a database that does not answer now, or whose tables are not listed."
          onChange={setOthers}
        />
        {make.error && <Banner tone="error" error={toStatusError(make.error)} />}
      </div>
      <DialogActions
        action="Create data agent"
        runningLabel="Creating…"
        running={make.isPending}
        isDisabled={displayName.trim() === "" || tables.length === 0 || wrong.length > 0}
        onAction={press}
        onCancel={onClose}
      />
    </Dialog>
  );
}
