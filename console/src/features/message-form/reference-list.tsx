import { useState } from "react";
import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import { Button } from "../../components/button.tsx";
import { type Choice, TextField } from "../../components/field.tsx";
import { useReadOnly } from "../../components/read-only.tsx";
import { wordFinder } from "../../components/word-finder.ts";
import { useFormContext } from "./form-context.ts";

interface ReferenceListProps {
  readonly label: string;
  readonly choices: readonly Choice<string>[];
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
}

/** More choices are searched by words, with what is chosen first. */
const MANY = 24;

/** Choices that are rendered of many until more are asked for. */
const SHOWN = 60;

/** Which resources a list names: one checkbox each; dangling names remain until they are unchecked. */
export function ReferenceList({ label, choices, value, onChange, path }: ReferenceListProps) {
  const { errors } = useFormContext();
  const chosen: readonly string[] = Array.isArray(value) ? value.map(String) : [];
  const strange = chosen.filter((name) => !choices.some((choice) => choice.value === name));
  const all = [...choices, ...strange.map((name) => ({ value: name, label: name, description: "" }))];
  const isLong = all.length > MANY;
  // What is checked while the list is open stays where it is.
  const [first] = useState<ReadonlySet<string>>(new Set(chosen));
  const [find, setFind] = useState("");
  const [most, setMost] = useState(SHOWN);
  const found = isLong ? chosenFirst(all, first).filter(finder(find)) : all;
  const shown = isLong ? found.slice(0, most) : found;
  const problems = [...errors].filter(([at]) => at === path || at.startsWith(`${path}[`)).map(([, text]) => text);
  return (
    <CheckboxGroup
      className="reference-list"
      value={[...chosen]}
      isReadOnly={useReadOnly()}
      onChange={(names) => onChange(ordered(chosen, names))}
    >
      <Label>{label}</Label>
      {problems.length > 0 && <p className="invalid">{problems.join(" ")}</p>}
      {all.length === 0 && <p className="muted">None in this app yet.</p>}
      {isLong && (
        <div className="find-rows">
          <TextField
            label={`Find in ${label.toLowerCase()}`}
            type="search"
            value={find}
            onChange={setFind}
            readOnly={false}
          />
          <span className="muted" role="status">
            {chosen.length.toLocaleString()} of {all.length.toLocaleString()} selected
            {find.trim() !== "" && `, ${found.length.toLocaleString()} found`}
          </span>
        </div>
      )}
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
      {found.length > shown.length && (
        <div>
          <Button small onPress={() => setMost(most + 5 * SHOWN)}>
            Show more ({(found.length - shown.length).toLocaleString()} left)
          </Button>
        </div>
      )}
    </CheckboxGroup>
  );
}

function chosenFirst(all: readonly Choice<string>[], first: ReadonlySet<string>): readonly Choice<string>[] {
  return [...all.filter(({ value }) => first.has(value)), ...all.filter(({ value }) => !first.has(value))];
}

function finder(find: string): (choice: Choice<string>) => boolean {
  const isFound = wordFinder(find);
  return ({ label, description = "" }) => isFound(`${label} ${description}`);
}

/** Those that were chosen stay in their order; a new one comes last. */
function ordered(before: readonly string[], names: readonly string[]): readonly string[] {
  return [...before.filter((name) => names.includes(name)), ...names.filter((name) => !before.includes(name))];
}
