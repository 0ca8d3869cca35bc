import {
  type Evaluation_GoldenTurn as GoldenTurn,
  Evaluation_GoldenTurnSchema as GoldenTurnSchema,
  type Evaluation_Step as Step,
} from "@frontdesk/protos/ces/evaluation";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { hasErrorBelow } from "../../../api/field-errors.ts";
import { Button } from "../../../components/button.tsx";
import { Menu } from "../../../components/menu.tsx";
import { WhileEditing } from "../../../components/read-only.tsx";
import { useFormContext } from "../../message-form/form-context.ts";
import { ItemActions } from "../../message-form/item-actions.tsx";
import { MessageForm } from "../../message-form/message-form.tsx";
import { STEP_KINDS } from "./new-step.ts";
import { StepEditor } from "./step-editor.tsx";

interface TurnEditorProps {
  readonly turn: GoldenTurn;
  /** From 0. */
  readonly index: number;
  readonly onChange: (next: GoldenTurn) => void;
  /** Buttons for the turn as a whole. */
  readonly actions: ReactNode;
}

/** One turn of a golden: its steps in order, and the thresholds of the turn. */
export function TurnEditor({ turn, index, onChange, actions }: TurnEditorProps) {
  const { errors } = useFormContext();
  const path = `golden.turns[${index}]`;
  const { steps } = turn;
  const set = (next: readonly Step[]) => onChange({ ...turn, steps: [...next] });
  const settings = ["turn_level_metrics_thresholds_override", "hallucination_metric_behavior_override"];
  return (
    <section className="card golden-turn" aria-label={`Turn ${index + 1}`}>
      <header className="row">
        <h2>Turn {index + 1}</h2>
        <div className="end">{actions}</div>
      </header>
      {errors.get(path) && <p className="invalid">{errors.get(path)}</p>}
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
        <div className="form-item" key={at}>
          <StepEditor
            step={step}
            path={`${path}.steps[${at}]`}
            onChange={(next) => set(steps.map((other, place) => (place === at ? next : other)))}
          />
          <ItemActions one={`step of turn ${index + 1}, step`} items={steps} at={at} onChange={set} />
        </div>
      ))}
      <div className="row wrap">
        <WhileEditing>
          <Menu
            label="Kinds of steps"
            trigger={
              <Button small>
                <Plus size={14} aria-hidden="true" /> Add step
                <span className="visually-hidden"> to turn {index + 1}</span>
              </Button>
            }
            entries={STEP_KINDS.map(({ id, label, make }) => ({
              id,
              label,
              onAction: () => set([...steps, make()]),
            }))}
          />
        </WhileEditing>
      </div>
      <details open={settings.some((name) => hasErrorBelow(errors, `${path}.${name}`))}>
        <summary>Metrics of turn {index + 1}</summary>
        <MessageForm desc={GoldenTurnSchema} value={turn} onChange={onChange} path={path} only={settings} />
      </details>
    </section>
  );
}
