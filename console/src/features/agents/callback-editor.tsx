import type { Callback } from "@frontdesk/protos/ces/common";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import { Switch, TextField } from "../../components/field.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import type { CodeProblem, Names } from "../code-editor/code-language.ts";
import type { CallbackStage } from "./callback-stages.ts";

interface CallbackEditorProps {
  readonly stage: CallbackStage;
  readonly index: number;
  /** Callbacks of this stage. */
  readonly count: number;
  readonly callback: Callback;
  readonly problems: readonly CodeProblem[];
  /** The line of the code that is meant, from 1. */
  readonly line?: number | undefined;
  readonly names: Names;
  readonly onChange: (next: Callback) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

/** One callback: what it is for, whether it runs, and its code with what the server found in it. */
export function CallbackEditor(props: CallbackEditorProps) {
  const { stage, index, count, callback, problems, line, names, onChange, onMove, onRemove } = props;
  const code = callback.callback.case === "pythonCode" ? callback.callback.value : "";
  return (
    <section className="stack" aria-label={`${stage.label} ${index + 1}`}>
      <div className="row">
        <h2>{`${stage.label} ${index + 1}`}</h2>
        <WhileEditing>
          <div className="row end">
            <IconButton small label="Move up" isDisabled={index === 0} onPress={() => onMove(index - 1)}>
              <ArrowUp size={15} aria-hidden="true" />
            </IconButton>
            <IconButton small label="Move down" isDisabled={index === count - 1} onPress={() => onMove(index + 1)}>
              <ArrowDown size={15} aria-hidden="true" />
            </IconButton>
            <IconButton small label="Remove callback" onPress={onRemove}>
              <Trash2 size={15} aria-hidden="true" />
            </IconButton>
          </div>
        </WhileEditing>
      </div>
      <p className="muted">{stage.when}</p>
      <TextField
        label="Description"
        value={callback.description}
        onChange={(description) => onChange({ ...callback, description })}
      />
      <div className="row wrap">
        <Switch selected={!callback.disabled} onChange={(on) => onChange({ ...callback, disabled: !on })}>
          {" "}
          Enabled{" "}
        </Switch>
        <Switch
          selected={callback.proactiveExecutionEnabled}
          onChange={(proactiveExecutionEnabled) => onChange({ ...callback, proactiveExecutionEnabled })}
        >
          Proactive execution
        </Switch>
      </div>
      <CodeEditor
        label="Python"
        language="python"
        value={code}
        onChange={(value) => onChange({ ...callback, callback: { case: "pythonCode", value } })}
        problems={problems}
        names={names}
        line={line}
        hint="The server validates the code when you save."
      />
    </section>
  );
}
