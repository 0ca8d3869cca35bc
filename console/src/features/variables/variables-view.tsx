import { create } from "@bufbuild/protobuf";
import { type App, App_VariableDeclarationSchema } from "@frontdesk/protos/ces/app";
import { Schema_Type } from "@frontdesk/protos/ces/schema";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { fieldLabel } from "../message-form/field-labels.ts";
import { removeItem } from "../message-form/list-items.ts";
import { VariableEditor } from "./variable-editor.tsx";
import "../../styles/edit/side-list.css";

interface VariablesViewProps {
  readonly app: App;
  readonly onChange: (next: App) => void;
}

/** The declared variables beside the one that is edited, and those that every app has. */
export function VariablesView({ app, onChange }: VariablesViewProps) {
  const [chosen, setChosen] = useState(0);
  const list = app.variableDeclarations;
  const at = Math.min(chosen, list.length - 1);
  const shown = list[at];
  const change = (variableDeclarations: readonly App["variableDeclarations"][number][]) =>
    onChange({ ...app, variableDeclarations: [...variableDeclarations] });
  const add = () => {
    const schema = { type: Schema_Type.STRING };
    change([...list, create(App_VariableDeclarationSchema, { name: freeName(app), schema })]);
    setChosen(list.length);
  };
  return (
    <div className="split">
      <nav className="side-list" aria-label="Variables">
        <div>
          {list.map(({ name }, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: names may be empty or twice while they are typed
              key={index}
              type="button"
              className="side-item"
              aria-current={index === at}
              onClick={() => setChosen(index)}
            >
              <code>{name || "(unnamed)"}</code>
            </button>
          ))}
        </div>
        <WhileEditing>
          <div>
            <Button small onPress={add}>
              <Plus size={14} aria-hidden="true" /> Add variable
            </Button>
          </div>
        </WhileEditing>
        <div>
          <h2>Predefined variables</h2>
          {app.predefinedVariableDeclarations.map(({ name, description, schema }) => (
            <p key={name} className="predefined">
              <code>{name}</code>{" "}
              <small className="muted">{`${fieldLabel(Schema_Type[schema?.type ?? 0] ?? "")}. ${description}`}</small>
            </p>
          ))}
        </div>
      </nav>
      {shown ? (
        <VariableEditor
          key={at}
          path={`variable_declarations[${at}]`}
          variable={shown}
          onChange={(next) => change(list.map((one, index) => (index === at ? next : one)))}
          onRemove={() => change(removeItem(list, at))}
        />
      ) : (
        <EmptyState title="No variables yet">
          Variables store what a conversation knows. Instructions read them as {"{name}"}, Python code as
          variables["name"].
        </EmptyState>
      )}
    </div>
  );
}

function freeName({ variableDeclarations }: App): string {
  const names = new Set(variableDeclarations.map(({ name }) => name));
  let number = 1;
  while (names.has(`variable_${number}`)) number++;
  return `variable_${number}`;
}
