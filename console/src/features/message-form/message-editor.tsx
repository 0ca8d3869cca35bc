import { create, type DescMessage, isMessage } from "@bufbuild/protobuf";
import { Plus, X } from "lucide-react";
import { hasErrorBelow } from "../../api/field-errors.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { editableMembers } from "../editing/members.ts";
import { lowercaseFirst } from "./field-labels.ts";
import { useFormContext } from "./form-context.ts";
import { JsonValueEditor } from "./json-value-editor.tsx";
import { useNestedForm } from "./nested-form.ts";
import { TimeEditor } from "./time-editor.tsx";

interface MessageEditorProps {
  readonly desc: DescMessage;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
  /** A required message cannot be removed. */
  readonly required?: boolean;
}

/** Messages edited as JSON, because a form would be longer than the JSON. */
const AS_JSON = new Set([
  "google.cloud.ces.v1beta.Schema",
  "google.protobuf.Struct",
  "google.protobuf.Value",
  "google.protobuf.ListValue",
]);
const TIMES = new Set(["google.protobuf.Duration", "google.protobuf.Timestamp"]);

/** The editor of a message within a message: absent until it is added. */
export function MessageEditor(props: MessageEditorProps) {
  const { desc, label, value, onChange, path, required = false } = props;
  const { errors } = useFormContext();
  const Form = useNestedForm();
  if (TIMES.has(desc.typeName)) return <TimeEditor {...props} />;
  if (AS_JSON.has(desc.typeName)) return <JsonValueEditor {...props} />;
  if (!isMessage(value)) {
    return (
      <div className="form-absent">
        <span>{label}</span>
        <WhileEditing>
          <Button small onPress={() => onChange(create(desc))}>
            <Plus size={14} aria-hidden="true" /> Add {lowercaseFirst(label)}
          </Button>
        </WhileEditing>
        {hasErrorBelow(errors, path) && <p className="invalid">{errors.get(path) ?? "Required fields are missing."}</p>}
      </div>
    );
  }
  const isEmpty = editableMembers(desc).length === 0;
  return (
    <fieldset className="form-group">
      <legend>{label}</legend>
      {!required && (
        <div className="form-remove">
          <WhileEditing>
            <IconButton small label={`Remove ${lowercaseFirst(label)}`} onPress={() => onChange(undefined)}>
              <X size={15} aria-hidden="true" />
            </IconButton>
          </WhileEditing>
        </div>
      )}
      {errors.get(path) && <p className="invalid">{errors.get(path)}</p>}
      {isEmpty ? (
        <p className="muted">No settings.</p>
      ) : (
        <Form desc={desc} value={value} onChange={onChange} path={path} />
      )}
    </fieldset>
  );
}
