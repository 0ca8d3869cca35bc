import {
  ImportEvaluationsResponseSchema,
  ImportEvaluationsRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/evaluation_service";
import { useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { evaluationService } from "../../api/evaluation-service.ts";
import { waitForOperation } from "../../api/operations.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";
import { DropArea } from "../../components/drop-area.tsx";
import { SelectField } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import "../../styles/edit/packages.css";

interface ImportEvaluationsDialogProps {
  readonly app: string;
  readonly onClose: () => void;
}

const EXISTING = [
  {
    value: String(Strategy.CONFLICT_RESOLUTION_STRATEGY_UNSPECIFIED),
    label: "Leave them, and say so",
    description: "Each one that the app has is told as an error.",
  },
  { value: String(Strategy.SKIP), label: "Skip them" },
  { value: String(Strategy.OVERWRITE), label: "Replace them" },
  { value: String(Strategy.DUPLICATE), label: "Add them under another name" },
];

/** What came of an import. */
interface Outcome {
  readonly imported: number;
  readonly failures: number;
  readonly messages: readonly string[];
}

/** Brings goldens of a table, or what was exported, into the app; what cannot be read is told with its line. */
function ImportEvaluationsDialog({ app, onClose }: ImportEvaluationsDialogProps) {
  const queries = useQueryClient();
  const [existing, setExisting] = useState(EXISTING[0]?.value ?? "");
  const [reading, setReading] = useState("");
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<StatusError>();
  const take = async (file: File | undefined) => {
    if (!file) return;
    setReading(file.name);
    setError(undefined);
    setOutcome(undefined);
    try {
      const operation = await evaluationService.importEvaluations({
        parent: app,
        source: { case: "csvContent", value: new Uint8Array(await file.arrayBuffer()) },
        importOptions: { conflictResolutionStrategy: Number(existing) },
      });
      const response = await waitForOperation(operation, ImportEvaluationsResponseSchema);
      setOutcome({
        imported: response.evaluations.length,
        failures: response.importFailureCount,
        messages: response.errorMessages,
      });
      await queries.invalidateQueries({ queryKey: ["evaluation-summaries", app] });
    } catch (error) {
      setError(toStatusError(error));
    }
    setReading("");
  };
  return (
    <Dialog title="Import evaluations" open wide dismissable={false} onClose={onClose}>
      <div className="stack">
        {outcome && <ImportOutcome outcome={outcome} />}
        {error && <Banner tone="error" error={error} />}
        {reading !== "" && <Loading>{`Importing ${reading}…`}</Loading>}
        {reading === "" && (
          <>
            <SelectField
              label="Evaluations that the app has already"
              value={existing}
              choices={EXISTING}
              onChange={setExisting}
            />
            <DropArea
              icon={<FileUp size={28} aria-hidden="true" />}
              title={outcome ? "Drop another file here" : "Drop a file here"}
              hint="A CSV table of goldens, or the JSON or YAML of an export"
              onDrop={({ files }) => void take(files[0])}
            >
              <FileTrigger
                acceptedFileTypes={[".csv", ".json", ".yaml", ".yml"]}
                onSelect={(files) => void take(files?.[0])}
              >
                <Button>Choose file</Button>
              </FileTrigger>
            </DropArea>
          </>
        )}
      </div>
      <DialogButtons>
        <Button onPress={onClose} isDisabled={reading !== ""}>
          {outcome ? "Close" : "Cancel"}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function ImportOutcome({ outcome: { imported, failures, messages } }: { readonly outcome: Outcome }) {
  const done = `${counted(imported)} imported`;
  return (
    <>
      <Banner tone={messages.length > 0 ? "warning" : "info"}>
        {failures > 0
          ? `${done}; ${failures.toLocaleString()} could not be:`
          : `${done}${messages.length > 0 ? ":" : "."}`}
      </Banner>
      {messages.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        <section className="warnings" aria-label="Remarks of the import" tabIndex={0}>
          <ul>
            {messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function counted(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "evaluation was" : "evaluations were"}`;
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default ImportEvaluationsDialog;
