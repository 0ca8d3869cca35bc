import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import { useNavigate } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { evaluationService, runOf } from "../../api/evaluation-service.ts";
import { useMay } from "../../api/permissions.ts";
import { pagePath } from "../../api/resource-names.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { DialogButton } from "../../components/dialog-button.tsx";
import { SelectField } from "../../components/field.tsx";

interface RunAgainProps {
  readonly app: string;
  readonly run: EvaluationRun;
}

/** Runs again what failed in a run that has ended, and what it did not come to or could not measure. Nothing where all passed. */
export function RunAgain({ app, run }: RunAgainProps) {
  const may = useMay(app);
  const { totalCount = 0, passedCount = 0 } = run.progress ?? {};
  if (!may("ces.apps.runEvaluation") || (totalCount > 0 && passedCount === totalCount)) return null;
  return (
    <DialogButton dialog={(close) => <RunAgainDialog app={app} run={run} onClose={close} />}>
      <RotateCw size={16} aria-hidden="true" /> Run again…
    </DialogButton>
  );
}

type Part = "left" | "failed";

function RunAgainDialog({ app, run, onClose }: RunAgainProps & { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const choices = partsOf(run);
  const [part, setPart] = useState<Part>(choices[0]?.value ?? "left");
  const { submit, running, error } = useSubmission(async () => {
    const includeFailedEvaluations = part === "failed";
    const operation = await evaluationService.runEvaluation({
      app,
      continuedRun: run.name,
      includeFailedEvaluations,
    });
    void navigate({ to: pagePath(runOf(operation) || `${app}/evaluationRuns`) });
  });
  const subject = run.appVersionDisplayName || "The draft as it is now";
  return (
    <Dialog title="Run again" open dismissable={false} onClose={onClose}>
      <div className="stack">
        {choices.length > 1 ? (
          <SelectField label="Evaluations" value={part} choices={choices} onChange={setPart} />
        ) : (
          <p>{choices[0]?.label}</p>
        )}
        <p className="muted">
          {subject} runs with the settings of this run, in a new one that names this one. Each evaluation runs as often
          as here, also those of its attempts that passed.
        </p>
        {error && <Banner tone="error" error={error} />}
        <DialogActions action="Run" runningLabel="Starting…" running={running} onAction={submit} onCancel={onClose} />
      </div>
    </Dialog>
  );
}

/** What of a run can run again, by what became of its results. */
function partsOf({ progress }: EvaluationRun): readonly { readonly value: Part; readonly label: string }[] {
  const { totalCount = 0, passedCount = 0, failedCount = 0 } = progress ?? {};
  if (totalCount === 0) return [{ value: "left", label: "All of it, because it could not start" }];
  const left = totalCount - passedCount - failedCount;
  const unmeasured = `not measured or not run (${results(left)})`;
  const parts: { value: Part; label: string }[] = [];
  if (left > 0) parts.push({ value: "left", label: `What was ${unmeasured}` });
  if (failedCount > 0 && left > 0)
    parts.push({ value: "failed", label: `What failed, too (${results(left + failedCount)})` });
  else if (failedCount > 0) parts.push({ value: "failed", label: `What failed (${results(failedCount)})` });
  return parts;
}

function results(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "result" : "results"}`;
}
