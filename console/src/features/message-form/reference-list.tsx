import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import type { Choice } from "../../components/field.tsx";
import { useFormContext } from "./form-context.ts";

interface ReferenceListProps {
  readonly label: string;
  readonly choices: readonly Choice<string>[];
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
}

/** Which resources a list names: one checkbox each; dangling names remain until they are unchecked. */
export function ReferenceList({ label, choices, value, onChange, path }: ReferenceListProps) {
  const { errors } = useFormContext();
  const chosen: readonly string[] = Array.isArray(value) ? value.map(String) : [];
  const strange = chosen.filter((name) => !choices.some((choice) => choice.value === name));
  const shown = [...choices, ...strange.map((name) => ({ value: name, label: name, description: "" }))];
  const problems = [...errors].filter(([at]) => at === path || at.startsWith(`${path}[`)).map(([, text]) => text);
  return (
    <CheckboxGroup
      className="reference-list"
      value={[...chosen]}
      onChange={(names) => onChange(ordered(chosen, names))}
    >
      <Label>{label}</Label>
      {problems.length > 0 && <p className="invalid">{problems.join(" ")}</p>}
      {shown.length === 0 && <p className="muted">None in this app yet.</p>}
      <div className="reference-boxes">
        {shown.map((choice) => (
          <Checkbox key={choice.value} value={choice.value} className="check">
            <span className="box" />
            <span className="check-words">
              {choice.label}
              {choice.description && <small>{choice.description}</small>}
            </span>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}

/** Those that were chosen stay in their order; a new one comes last. */
function ordered(before: readonly string[], names: readonly string[]): readonly string[] {
  return [...before.filter((name) => names.includes(name)), ...names.filter((name) => !before.includes(name))];
}
