import type { DescField, DescOneof } from "@bufbuild/protobuf";
import { SelectField } from "../../components/field.tsx";
import { isEditable } from "../editing/members.ts";
import { emptyValue } from "./empty-value.ts";
import { fieldHint } from "./field-hints.ts";
import { fieldLabel } from "./field-labels.ts";
import { MessageEditor } from "./message-editor.tsx";
import { ValueEditor } from "./value-editor.tsx";

interface OneofEditorProps {
  readonly oneof: DescOneof;
  /** The `{ case, value }` of the oneof. */
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  /** Path of the containing message; fields of a oneof have paths like any other. */
  readonly path: string;
}

interface Selected {
  readonly case?: string;
  readonly value?: unknown;
}

/** One of several fields: which, then its own editor. What was entered for another one goes. */
export function OneofEditor({ oneof, value, onChange, path }: OneofEditorProps) {
  const selected: Selected = isSelected(value) ? value : {};
  const fields = oneof.fields.filter(isEditable);
  const field = fields.find(({ localName }) => localName === selected.case);
  const change = (next: unknown) => onChange({ case: selected.case, value: next });
  const place = field && (path ? `${path}.${field.name}` : field.name);
  return (
    <div className="form-part">
      <SelectField
        label={fieldLabel(oneof.name)}
        value={selected.case ?? ""}
        choices={[
          { value: "", label: "Not set" },
          ...fields.map(({ localName, name }) => ({ value: localName, label: fieldLabel(name) })),
        ]}
        onChange={(name) => onChange(selectionOf(fields.find(({ localName }) => localName === name)))}
      />
      {field?.fieldKind === "message" && place && (
        <MessageEditor
          desc={field.message}
          label={fieldLabel(field.name)}
          value={selected.value}
          onChange={change}
          path={place}
          required
        />
      )}
      {field && field.fieldKind !== "message" && place && (
        <ValueEditor
          kind={field}
          label={fieldLabel(field.name)}
          hint={fieldHint(field)}
          value={selected.value}
          onChange={change}
          path={place}
          required
        />
      )}
    </div>
  );
}

function isSelected(value: unknown): value is Selected {
  return typeof value === "object" && value !== null && "case" in value;
}

/** A field of a oneof with nothing in it yet. */
function selectionOf(field: DescField | undefined): Selected {
  return field ? { case: field.localName, value: emptyValue(field) } : ({ case: undefined } as Selected);
}
