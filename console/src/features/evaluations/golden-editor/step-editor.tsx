import { type Evaluation_Step as Step, Evaluation_StepSchema as StepSchema } from "@frontdesk/protos/ces/evaluation";
import { useState } from "react";
import { hasErrorBelow } from "../../../api/field-errors.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/field.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { fieldLabel } from "../../message-form/field-labels.ts";
import { useFormContext } from "../../message-form/form-context.ts";
import { MessageForm } from "../../message-form/message-form.tsx";
import { ConditionView, conditionLabel } from "../condition-view.tsx";
import { stepText, withStepText } from "./step-text.ts";

interface StepEditorProps {
  readonly step: Step;
  /** Path within the evaluation, e.g. `golden.turns[0].steps[1]`. */
  readonly path: string;
  readonly onChange: (next: Step) => void;
}

/** One step of a golden: a text is edited in place, everything else in the form of all fields. */
export function StepEditor({ step, path, onChange }: StepEditorProps) {
  const { errors } = useFormContext();
  const text = stepText(step);
  const [opened, setOpened] = useState(() => text === undefined && isBlank(step));
  const open = opened || hasErrorBelow(errors, path);
  const label = stepLabel(step);
  return (
    <div className="stack tight">
      {!open && text !== undefined && (
        <TextField label={label} lines={2} value={text} onChange={(next) => onChange(withStepText(step, next))} />
      )}
      {!open && text === undefined && (
        <>
          <h3 className="step-label">{label}</h3>
          <StepSummary step={step} />
        </>
      )}
      {open && <MessageForm desc={StepSchema} value={step} onChange={onChange} path={path} />}
      <div>
        <Button small tone="plain" aria-expanded={open} onPress={() => setOpened(!open)}>
          {open ? "Fewer fields" : "All fields"}
          <span className="visually-hidden"> of {label}</span>
        </Button>
      </div>
    </div>
  );
}

function StepSummary({ step: { step } }: { readonly step: Step }) {
  switch (step.case) {
    case "expectation":
      return <ConditionView condition={step.value.condition} missing="Nothing is expected." />;
    case "agentTransfer":
      return <ConditionView condition={step} missing="" />;
    case "userInput":
      return <JsonView value={step.value.inputType.value} label="input" />;
    default:
      return <p className="muted">Empty step.</p>;
  }
}

/** What a step is: the input of the user, or what is expected. */
function stepLabel({ step }: Step): string {
  if (step.case === "expectation") return conditionLabel(step.value.condition);
  if (step.case === "agentTransfer") return conditionLabel(step);
  if (step.case !== "userInput") return "Step";
  const { inputType } = step.value;
  return inputType.case === "text" ? "User input" : `User input: ${fieldLabel(inputType.case ?? "none")}`;
}

/** Whether a step says nothing yet: it was just added. */
function isBlank({ step }: Step): boolean {
  if (step.case !== "expectation") return false;
  const { condition } = step.value;
  switch (condition.case) {
    case "toolCall":
    case "toolResponse":
    case "mockToolResponse":
      return condition.value.toolIdentifier.case === undefined && condition.value.displayName === "";
    case "agentTransfer":
      return condition.value.targetAgent === "" && condition.value.displayName === "";
    case "updatedVariables":
      return Object.keys(condition.value).length === 0;
    default:
      return false;
  }
}
