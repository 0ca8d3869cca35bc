import { create } from "@bufbuild/protobuf";
import {
  type ExperimentConfig_VersionRelease_TrafficAllocation as Allocation,
  ExperimentConfig_VersionRelease_TrafficAllocationSchema as AllocationSchema,
  type Deployment,
  ExperimentConfig_State,
  ExperimentConfigSchema,
} from "@frontdesk/protos/ces/deployment";
import { Plus, Trash2 } from "lucide-react";
import { errorAt } from "../../api/field-errors.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { type Choice, SelectField, TextField } from "../../components/field.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { fieldLabel } from "../message-form/field-labels.ts";
import { useFormContext } from "../message-form/form-context.ts";
import { removeItem } from "../message-form/list-items.ts";
import "../../styles/edit/traffic.css";

interface TrafficViewProps {
  readonly deployment: Deployment;
  readonly onChange: (next: Deployment) => void;
  readonly versions: readonly Choice<string>[];
}

const PATH = "experiment_config.version_release.traffic_allocations";

/** Which version answers, or how conversations are split between several. */
export function TrafficView({ deployment, onChange, versions }: TrafficViewProps) {
  const { errors } = useFormContext();
  const release = deployment.experimentConfig?.versionRelease;
  const parts = release?.trafficAllocations ?? [];
  const sum = parts.reduce((total, { trafficPercentage }) => total + trafficPercentage, 0);
  const change = (
    trafficAllocations: readonly Allocation[],
    state = release?.state ?? ExperimentConfig_State.RUNNING,
  ) => {
    const { experimentConfig: _, ...rest } = deployment;
    if (trafficAllocations.length === 0) return onChange(rest);
    const versionRelease = { state, trafficAllocations: [...trafficAllocations] };
    onChange({ ...rest, experimentConfig: create(ExperimentConfigSchema, { versionRelease }) });
  };
  const set = (at: number, next: Allocation) => change(parts.map((part, index) => (index === at ? next : part)));
  const split = () => {
    const share = (trafficPercentage: number, id: string) =>
      create(AllocationSchema, {
        id,
        appVersion: deployment.appVersion || (versions[0]?.value ?? ""),
        trafficPercentage,
      });
    change(
      parts.length === 0
        ? [share(50, "a"), share(50, "b")]
        : [...parts, share(0, String.fromCharCode(97 + parts.length))],
    );
  };
  return (
    <div className="stack">
      <SelectField
        label="Version"
        value={deployment.appVersion}
        choices={known(versions, deployment.appVersion)}
        onChange={(appVersion) => onChange({ ...deployment, appVersion })}
        hint={parts.length > 0 ? "Used when no traffic split is running." : undefined}
      />
      <h2>Traffic split</h2>
      {parts.length === 0 && <p className="muted">All conversations use the version above.</p>}
      {errorAt(errors, PATH) && <p className="invalid">{errorAt(errors, PATH)}</p>}
      {parts.map((part, at) => (
        <AllocationRow
          // biome-ignore lint/suspicious/noArrayIndexKey: an allocation is identified by its position
          key={at}
          allocation={part}
          at={at}
          versions={versions}
          onChange={(next) => set(at, next)}
          onRemove={() => change(removeItem(parts, at))}
        />
      ))}
      {parts.length > 0 && (
        <>
          <p className={sum === 100 ? "muted" : "invalid"} role="status">
            Total: {sum}%{sum === 100 ? "" : ". The total must be 100%."}
          </p>
          <SelectField
            label="State"
            value={String(release?.state ?? 0)}
            choices={STATES}
            onChange={(state) => change(parts, Number(state))}
          />
        </>
      )}
      <div>
        <WhileEditing>
          <Button small onPress={split}>
            <Plus size={14} aria-hidden="true" /> {parts.length === 0 ? "Split traffic" : "Add version"}
          </Button>
        </WhileEditing>
      </div>
    </div>
  );
}

interface AllocationRowProps {
  readonly allocation: Allocation;
  readonly at: number;
  readonly versions: readonly Choice<string>[];
  readonly onChange: (next: Allocation) => void;
  readonly onRemove: () => void;
}

/** One share of a traffic split: its name, version and percentage. */
function AllocationRow({ allocation, at, versions, onChange, onRemove }: AllocationRowProps) {
  const { errors } = useFormContext();
  return (
    <div className="traffic-part">
      <TextField
        label="Name"
        value={allocation.id}
        onChange={(id) => onChange({ ...allocation, id })}
        error={errorAt(errors, `${PATH}[${at}].id`)}
      />
      <SelectField
        label="Version"
        value={allocation.appVersion}
        choices={known(versions, allocation.appVersion)}
        onChange={(appVersion) => onChange({ ...allocation, appVersion })}
      />
      <TextField
        label="Percent"
        type="number"
        value={String(allocation.trafficPercentage)}
        onChange={(text) => onChange({ ...allocation, trafficPercentage: Math.trunc(Number(text)) || 0 })}
        error={errorAt(errors, `${PATH}[${at}].traffic_percentage`)}
      />
      <WhileEditing>
        <IconButton small label={`Remove allocation ${allocation.id || at + 1}`} onPress={onRemove}>
          <Trash2 size={15} aria-hidden="true" />
        </IconButton>
      </WhileEditing>
    </div>
  );
}

const STATES: readonly Choice<string>[] = Object.values(ExperimentConfig_State)
  .filter((value): value is ExperimentConfig_State => typeof value === "number")
  .map((value) => ({
    value: String(value),
    label: value === 0 ? "Not set" : fieldLabel(ExperimentConfig_State[value]),
  }));

/** The choices with the one that is set, even when its version was deleted. */
function known(choices: readonly Choice<string>[], value: string): readonly Choice<string>[] {
  return choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, label: value.split("/").at(-1) || "Not set" }];
}
