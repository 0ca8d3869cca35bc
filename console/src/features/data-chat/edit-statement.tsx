import { useMutation } from "@connectrpc/connect-query";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { Pencil, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { TextField } from "../../components/field.tsx";
import { resultSetOf } from "./answer.ts";
import { DownloadRows } from "./download-rows.tsx";
import { ResultTable } from "./result-table.tsx";
import { KeepStatement } from "./verify-answer.tsx";

interface EditStatementProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly sql: string;
  /** What the statement answers. */
  readonly question: string;
  /** Whether the person found the answer wrong: then what is run can be kept as the answer from now on. */
  readonly correcting: boolean;
  readonly onCorrecting: (correcting: boolean) => void;
}

/** The SQL of an answer, to be edited and run again over the tables of the agent; its rows and the plan of the engine below it. */
export function EditStatement({ agent, sql, question, correcting, onCorrecting }: EditStatementProps) {
  const [edited, setEdited] = useState<string | undefined>(correcting ? sql : undefined);
  useEffect(() => {
    if (correcting) setEdited((before) => before ?? sql);
  }, [correcting, sql]);
  const run = useMutation(DataChatService.method.runStatement);
  if (edited === undefined) {
    return (
      <div className="stack tight">
        <CodeBlock text={sql} label="SQL" wrapped />
        <div>
          <Button small tone="plain" onPress={() => setEdited(sql)}>
            <Pencil size={15} aria-hidden="true" /> Edit and run
          </Button>
        </div>
      </div>
    );
  }
  const discard = () => {
    setEdited(undefined);
    run.reset();
    onCorrecting(false);
  };
  const { result, queryPlan = "", partialResult = false } = run.data ?? {};
  const rows = result && resultSetOf(result);
  return (
    <div className="stack tight">
      {correcting && (
        <p className="muted">Correct the SQL and run it. When the rows are right, keep it as the answer.</p>
      )}
      <TextField label="SQL" value={edited} onChange={setEdited} lines={Math.min(20, edited.split("\n").length + 1)} />
      <div className="row wrap">
        <Button
          small
          tone="primary"
          isDisabled={run.isPending || edited.trim() === ""}
          onPress={() => run.mutate({ name: agent, sqlQuery: edited })}
        >
          <Play size={15} aria-hidden="true" /> {run.isPending ? "Running…" : "Run"}
        </Button>
        <Button small tone="plain" onPress={() => discard()}>
          Cancel
        </Button>
      </div>
      {run.error && <Banner tone="error" error={toStatusError(run.error)} />}
      {rows && (
        <>
          {partialResult && (
            <Banner tone="warning">Only the first {rows.rows.length} rows were read; there are more.</Banner>
          )}
          {run.variables?.sqlQuery === edited && (
            <KeepStatement agent={agent} question={question} statement={{ sqlQuery: edited }} />
          )}
          <ResultTable rows={rows} />
          <DownloadRows rows={rows} />
        </>
      )}
      {queryPlan && (
        <details className="thought">
          <summary>Query plan</summary>
          <CodeBlock text={queryPlan} label="query plan" />
        </details>
      )}
    </div>
  );
}
