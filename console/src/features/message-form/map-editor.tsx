import type { DescField } from "@bufbuild/protobuf";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { emptyValue } from "./empty-value.ts";
import { fieldLabel, fieldLabelInSentence } from "./field-labels.ts";
import { useFormContext } from "./form-context.ts";
import { MessageEditor } from "./message-editor.tsx";
import { ValueEditor } from "./value-editor.tsx";

interface MapEditorProps {
  readonly field: DescField & { readonly fieldKind: "map" };
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
}

/** Values by key. A key is given when the entry is added. */
export function MapEditor({ field, value, onChange, path }: MapEditorProps) {
  const { errors } = useFormContext();
  const [key, setKey] = useState("");
  const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
  const name = fieldLabelInSentence(field.name);
  const put = (at: string, next: unknown) =>
    onChange(Object.fromEntries(entries.map((entry) => (entry[0] === at ? [at, next] : entry))));
  const exists = entries.some(([known]) => known === key);
  const add = () => {
    onChange(Object.fromEntries([...entries, [key, emptyValue(field)]]));
    setKey("");
  };
  return (
    <fieldset className="form-group">
      <legend>{fieldLabel(field.name)}</legend>
      {errors.get(path) && <p className="invalid">{errors.get(path)}</p>}
      {entries.map(([at, item]) => (
        <div className="form-item" key={at}>
          <div className="form-entry">
            {field.mapKind === "message" ? (
              <MessageEditor
                desc={field.message}
                label={at}
                value={item}
                onChange={(next) => put(at, next)}
                path={`${path}.${at}`}
                required
              />
            ) : (
              <ValueEditor
                kind={field}
                label={at}
                value={item}
                onChange={(next) => put(at, next)}
                path={`${path}.${at}`}
              />
            )}
          </div>
          <WhileEditing>
            <div className="form-item-actions">
              <IconButton
                small
                label={`Remove ${at}`}
                onPress={() => onChange(Object.fromEntries(entries.filter(([known]) => known !== at)))}
              >
                <Trash2 size={14} aria-hidden="true" />
              </IconButton>
            </div>
          </WhileEditing>
        </div>
      ))}
      <WhileEditing>
        <div className="form-add">
          <TextField
            label={`New key in ${name}`}
            value={key}
            onChange={setKey}
            error={exists ? "This key already exists." : undefined}
          />
          <Button small isDisabled={key === "" || exists} onPress={add}>
            <Plus size={14} aria-hidden="true" /> Add to {name}
          </Button>
        </div>
      </WhileEditing>
    </fieldset>
  );
}
