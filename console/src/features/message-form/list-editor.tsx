import type { DescField } from "@bufbuild/protobuf";
import { Plus } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { emptyValue } from "./empty-value.ts";
import { fieldLabel, fieldLabelInSentence, singular } from "./field-labels.ts";
import { useFormContext } from "./form-context.ts";
import { ItemActions } from "./item-actions.tsx";
import { MessageEditor } from "./message-editor.tsx";
import { ValueEditor } from "./value-editor.tsx";

interface ListEditorProps {
  readonly field: DescField & { readonly fieldKind: "list" };
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
}

/** A list of values: add, edit, move, remove. */
export function ListEditor({ field, value, onChange, path }: ListEditorProps) {
  const { errors } = useFormContext();
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const name = fieldLabelInSentence(field.name);
  const one = singular(name);
  const set = (at: number, next: unknown) => onChange(items.map((item, index) => (index === at ? next : item)));
  return (
    <fieldset className="form-group">
      <legend>{fieldLabel(field.name)}</legend>
      {errors.get(path) && <p className="invalid">{errors.get(path)}</p>}
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
        <div className="form-item" key={at}>
          <Element field={field} item={item} at={at} path={`${path}[${at}]`} onChange={(next) => set(at, next)} />
          <ItemActions one={one} items={items} at={at} onChange={onChange} />
        </div>
      ))}
      <div>
        <WhileEditing>
          <Button small onPress={() => onChange([...items, emptyValue(field)])}>
            <Plus size={14} aria-hidden="true" /> Add {one}
          </Button>
        </WhileEditing>
      </div>
    </fieldset>
  );
}

interface ElementProps {
  readonly field: ListEditorProps["field"];
  readonly item: unknown;
  readonly at: number;
  readonly path: string;
  readonly onChange: (next: unknown) => void;
}

function Element({ field, item, at, path, onChange }: ElementProps) {
  const label = `${singular(fieldLabel(field.name))} ${at + 1}`;
  if (field.listKind === "message")
    return <MessageEditor desc={field.message} label={label} value={item} onChange={onChange} path={path} required />;
  return <ValueEditor kind={field} label={label} hideLabel value={item} onChange={onChange} path={path} />;
}
