import {
  ExportEvaluationsResponseSchema,
  ExportOptions_ExportFormat as Format,
} from "@frontdesk/protos/ces/evaluation_service";
import { Download, Upload } from "lucide-react";
import { lazy, useState } from "react";
import { evaluationService } from "../../api/evaluation-service.ts";
import { waitForOperation } from "../../api/operations.ts";
import { useMay } from "../../api/permissions.ts";
import { resourceId } from "../../api/resource-names.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { DialogButton } from "../../components/dialog-button.tsx";
import { download } from "../../components/download.ts";
import { SelectField, Switch } from "../../components/field.tsx";

const ImportEvaluationsDialog = lazy(() => import("./import-evaluations-dialog.tsx"));

interface EvaluationFilesProps {
  readonly app: string;
  /** Names of the evaluations to export. */
  readonly names: readonly string[];
}

/** Evaluations from and to files. */
export function EvaluationFiles({ app, names }: EvaluationFilesProps) {
  const may = useMay(app);
  return (
    <>
      {may("ces.evaluations.create") && (
        <DialogButton dialog={(close) => <ImportEvaluationsDialog app={app} onClose={close} />}>
          <Upload size={16} aria-hidden="true" /> Import…
        </DialogButton>
      )}
      {names.length > 0 && (
        <DialogButton dialog={(close) => <ExportEvaluationsDialog app={app} names={names} onClose={close} />}>
          <Download size={16} aria-hidden="true" /> Export…
        </DialogButton>
      )}
    </>
  );
}

const FORMATS = [
  { value: "JSON", label: "JSON" },
  { value: "YAML", label: "YAML" },
] as const;

function ExportEvaluationsDialog({ app, names, onClose }: EvaluationFilesProps & { readonly onClose: () => void }) {
  const [format, setFormat] = useState<"JSON" | "YAML">("JSON");
  const [withResults, setWithResults] = useState(false);
  const { submit, running, error } = useSubmission(async () => {
    const operation = await evaluationService.exportEvaluations({
      parent: app,
      names: [...names],
      includeEvaluations: true,
      includeEvaluationResults: withResults,
      exportOptions: { exportFormat: Format[format] },
    });
    const { evaluations } = await waitForOperation(operation, ExportEvaluationsResponseSchema);
    if (evaluations.case === "evaluationsContent") {
      const file = `${resourceId(app)}-evaluations.${format.toLowerCase()}`;
      download(file, "application/octet-stream", new Blob([evaluations.value.slice()]));
    }
    onClose();
  });
  const count = names.length;
  return (
    <Dialog
      title={count === 1 ? "Export evaluation" : `Export ${count.toLocaleString()} evaluations`}
      open
      onClose={onClose}
    >
      <div className="stack">
        <SelectField label="Format" value={format} choices={FORMATS} onChange={setFormat} />
        <Switch selected={withResults} onChange={setWithResults}>
          Results, too
        </Switch>
        <p className="muted">Downloads one file, which this page and frontdesk eval read.</p>
        {error && <Banner tone="error" error={error} />}
      </div>
      <DialogActions
        action="Download"
        runningLabel="Exporting…"
        running={running}
        onAction={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
}
