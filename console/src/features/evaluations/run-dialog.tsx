import type { EvaluationPersona } from "@frontdesk/protos/ces/app";
import { EvaluationConfig_EvaluationChannel as EvaluationChannel } from "@frontdesk/protos/ces/evaluation";
import { EvaluationToolCallBehaviour } from "@frontdesk/protos/ces/fakes";
import { GoldenRunMethod } from "@frontdesk/protos/ces/golden_run";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { evaluationService, runOf } from "../../api/evaluation-service.ts";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { apps, versions } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { SelectField, TextField } from "../../components/field.tsx";

import { ReferenceList } from "../message-form/reference-list.tsx";
import "../../styles/message-form.css";

interface RunDialogProps {
  readonly app: string;
  /** Names of the evaluations that run. */
  readonly evaluations: readonly string[];
  /** What the run is called without a name of its own; absent: as the evaluation. */
  readonly title?: string | undefined;
  readonly onClose: () => void;
}

/** The unspecified value of an enum: what the settings of the app say. */
const APP_SETTING = "0";

const METHODS = [
  { value: APP_SETTING, label: "As the settings of the app say" },
  {
    value: String(GoldenRunMethod.STABLE),
    label: "One session per turn",
    description: "A turn gets the turns before it as they were expected.",
  },
  {
    value: String(GoldenRunMethod.NAIVE),
    label: "One session",
    description: "A turn gets the turns before it as they went.",
  },
];

const TOOL_CALLS = [
  { value: APP_SETTING, label: "As the settings of the app say" },
  { value: String(EvaluationToolCallBehaviour.REAL), label: "Real" },
  { value: String(EvaluationToolCallBehaviour.FAKE), label: "Fake" },
];

const CHANNELS = [
  { value: APP_SETTING, label: "Text" },
  {
    value: String(EvaluationChannel.AUDIO),
    label: "Voice",
    description: "Users and agents speak, and hear each other, by the server's speech providers.",
  },
];

const DRAFT = { value: "", label: "Draft" };

/** Asks how evaluations are run, starts the run and opens its page. */
export function RunDialog({ app, evaluations, title, onClose }: RunDialogProps) {
  const navigate = useNavigate();
  const frozen = useResources(versions, app).data ?? [];
  const choices = [DRAFT, ...frozen.map((version) => ({ value: version.name, label: resourceTitle(version) }))];
  const [name, setName] = useState("");
  const [appVersion, setAppVersion] = useState("");
  const [times, setTimes] = useState("");
  const [method, setMethod] = useState(APP_SETTING);
  const [toolCalls, setToolCalls] = useState(APP_SETTING);
  const [channel, setChannel] = useState(APP_SETTING);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const personas = useResource(apps, app).data?.evaluationPersonas ?? [];
  const { submit, running, error } = useSubmission(async () => {
    const operation = await evaluationService.runEvaluation({
      app,
      evaluations: [...evaluations],
      displayName: nameOf(name, title),
      appVersion,
      goldenRunMethod: Number(method),
      personaRunConfigs: chosen.map((persona) => ({ persona, taskCount: Number(times) || 1 })),
      generateLatencyReport: true,
      optimizationConfig: { generateLossReport: true },
      config: { toolCallBehaviour: Number(toolCalls), evaluationChannel: Number(channel) },
      ...(times !== "" && { runCount: Number(times) }),
    });
    void navigate({ to: pagePath(runOf(operation) || `${app}/evaluationRuns`) });
  });
  const count = evaluations.length;
  return (
    <Dialog
      title={count === 1 ? "Run evaluation" : `Run ${count} evaluations`}
      open
      dismissable={false}
      onClose={onClose}
    >
      <DialogForm ready={!running} onSubmit={submit}>
        <NameField name={name} title={title} onChange={setName} />
        <SelectField label="Version" value={appVersion} choices={choices} onChange={setAppVersion} />
        <TextField
          label="Runs per evaluation"
          type="number"
          value={times}
          onChange={setTimes}
          hint="Leave empty to run a golden once and a scenario five times."
        />
        <SelectField label="Turns of a golden" value={method} choices={METHODS} onChange={setMethod} />
        <SelectField label="Tool calls" value={toolCalls} choices={TOOL_CALLS} onChange={setToolCalls} />
        <SelectField label="Channel" value={channel} choices={CHANNELS} onChange={setChannel} />
        {personas.length > 0 && <PersonaList personas={personas} chosen={chosen} onChange={setChosen} />}
        {error && <Banner tone="error" error={error} />}
        <DialogActions action="Run" runningLabel="Starting…" running={running} onCancel={onClose} />
      </DialogForm>
    </Dialog>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly title: string | undefined;
  readonly onChange: (name: string) => void;
}

function NameField({ name, title = "the evaluation", onChange }: NameFieldProps) {
  const hint = `What is tried, for example "shorter answers". Empty: ${title} and the time.`;
  return <TextField label="Name" value={name} onChange={onChange} hint={hint} />;
}

/** The name of a run; "" lets the server name it after its evaluation. */
function nameOf(name: string, title: string | undefined): string {
  return name.trim() || (title ? `${title} run - ${new Date().toISOString()}` : "");
}

interface PersonaListProps {
  readonly personas: readonly EvaluationPersona[];
  readonly chosen: readonly string[];
  readonly onChange: (next: readonly string[]) => void;
}

function PersonaList({ personas, chosen, onChange }: PersonaListProps) {
  return (
    <ReferenceList
      label="Personas of the simulated user"
      path="persona_run_configs"
      choices={personas.map(({ name, displayName, description }) => ({
        value: name || displayName,
        label: displayName,
        description,
      }))}
      value={chosen}
      onChange={(next) => onChange(Array.isArray(next) ? next.map(String) : [])}
    />
  );
}
