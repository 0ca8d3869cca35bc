import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { RunEvaluationOperationMetadataSchema } from "@frontdesk/protos/ces/evaluation_service";
import { EvaluationToolCallBehaviour } from "@frontdesk/protos/ces/fakes";
import { GoldenRunMethod } from "@frontdesk/protos/ces/golden_run";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { evaluationService } from "../../api/evaluation-service.ts";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { versions } from "../../api/resource-types.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { useResources } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SelectField, Switch, TextField } from "../../components/field.tsx";

interface RunDialogProps {
  readonly app: string;
  /** Names of the evaluations that run. */
  readonly evaluations: readonly string[];
  readonly onClose: () => void;
}

/** Asks how evaluations are run, starts the run and opens its page. */
export function RunDialog({ app, evaluations, onClose }: RunDialogProps) {
  const navigate = useNavigate();
  const frozen = useResources(versions, app).data ?? [];
  const [appVersion, setAppVersion] = useState("");
  const [times, setTimes] = useState("");
  const [naive, setNaive] = useState(false);
  const [fakes, setFakes] = useState(false);
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<StatusError>();
  const start = async () => {
    setStarting(true);
    try {
      const { metadata } = await evaluationService.runEvaluation({
        app,
        evaluations: [...evaluations],
        appVersion,
        goldenRunMethod: naive ? GoldenRunMethod.NAIVE : GoldenRunMethod.STABLE,
        config: {
          toolCallBehaviour: fakes ? EvaluationToolCallBehaviour.FAKE : EvaluationToolCallBehaviour.REAL,
        },
        generateLatencyReport: true,
        ...(times !== "" && { runCount: Number(times) }),
      });
      const run = metadata && anyUnpack(metadata, RunEvaluationOperationMetadataSchema)?.evaluationRun;
      void navigate({ to: pagePath(run || `${app}/evaluationRuns`) });
    } catch (error) {
      setError(toStatusError(error));
      setStarting(false);
    }
  };
  const count = evaluations.length;
  return (
    <Dialog title={count === 1 ? "Run evaluation" : `Run ${count} evaluations`} open onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!starting) void start();
        }}
      >
        <SelectField
          label="Version"
          value={appVersion}
          choices={[
            { value: "", label: "Draft" },
            ...frozen.map((version) => ({ value: version.name, label: resourceTitle(version) })),
          ]}
          onChange={setAppVersion}
        />
        <TextField
          label="Runs per evaluation"
          type="number"
          value={times}
          onChange={setTimes}
          hint="Leave empty to run a golden once and a scenario five times."
        />
        <Switch selected={naive} onChange={setNaive}>
          Run each golden in one session
        </Switch>
        <Switch selected={fakes} onChange={setFakes}>
          Fake the tools
        </Switch>
        {error && <Banner tone="error" error={error} />}
        <div className="actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" isDisabled={starting}>
            {starting ? "Starting…" : "Run"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
