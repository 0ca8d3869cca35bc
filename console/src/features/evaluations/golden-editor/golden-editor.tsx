import { create } from "@bufbuild/protobuf";
import {
  type Evaluation_Golden as Golden,
  Evaluation_GoldenSchema as GoldenSchema,
  type Evaluation_GoldenTurn as GoldenTurn,
  Evaluation_GoldenTurnSchema as GoldenTurnSchema,
} from "@frontdesk/protos/ces/evaluation";
import { Plus } from "lucide-react";
import { errorAt } from "../../../api/field-errors.ts";
import { Button } from "../../../components/button.tsx";
import { WhileEditing } from "../../../components/read-only.tsx";
import { useFormContext } from "../../message-form/form-context.ts";
import { ItemActions } from "../../message-form/item-actions.tsx";
import { MessageForm } from "../../message-form/message-form.tsx";
import { STEP_KINDS } from "./new-step.ts";
import { TurnEditor } from "./turn-editor.tsx";
import "../../../styles/evaluations.css";
import "../../../styles/message-form.css";

interface GoldenEditorProps {
  readonly golden: Golden;
  readonly onChange: (next: Golden) => void;
}

/** The turns of a golden, and the expectations about the conversation as a whole. */
export function GoldenEditor({ golden, onChange }: GoldenEditorProps) {
  const { errors } = useFormContext();
  const { turns } = golden;
  const set = (next: readonly GoldenTurn[]) => onChange({ ...golden, turns: [...next] });
  const add = () => {
    const steps = STEP_KINDS.slice(0, 2).map(({ make }) => make());
    set([...turns, create(GoldenTurnSchema, { steps })]);
  };
  const error = errorAt(errors, "golden.turns");
  return (
    <div className="message-form">
      {error && <p className="invalid">{error}</p>}
      {turns.map((turn, at) => (
        <TurnEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
          key={at}
          turn={turn}
          index={at}
          onChange={(next) => set(turns.map((other, place) => (place === at ? next : other)))}
          actions={<ItemActions one="turn" items={turns} at={at} onChange={set} />}
        />
      ))}
      <div>
        <WhileEditing>
          <Button onPress={add}>
            <Plus size={16} aria-hidden="true" /> Add turn
          </Button>
        </WhileEditing>
      </div>
      <MessageForm
        desc={GoldenSchema}
        value={golden}
        onChange={onChange}
        path="golden"
        only={["evaluation_expectations"]}
      />
    </div>
  );
}
