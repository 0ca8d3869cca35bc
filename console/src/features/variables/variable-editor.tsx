import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { App_VariableDeclaration } from "@frontdesk/protos/ces/app";
import { type Schema, Schema_Type, SchemaSchema } from "@frontdesk/protos/ces/schema";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { errorAt } from "../../api/field-errors.ts";
import { IconButton } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { fieldLabel } from "../message-form/field-labels.ts";
import { useFormContext, useUnreadable } from "../message-form/form-context.ts";
import { JsonValueEditor } from "../message-form/json-value-editor.tsx";

interface VariableEditorProps {
  readonly variable: App_VariableDeclaration;
  readonly path: string;
  readonly onChange: (next: App_VariableDeclaration) => void;
  readonly onRemove: () => void;
}

const TYPES = [
  Schema_Type.STRING,
  Schema_Type.INTEGER,
  Schema_Type.NUMBER,
  Schema_Type.BOOLEAN,
  Schema_Type.OBJECT,
  Schema_Type.ARRAY,
];

/** One variable: name, description, type, default value and schema. */
export function VariableEditor({ variable, path, onChange, onRemove }: VariableEditorProps) {
  const { errors } = useFormContext();
  const schema = variable.schema ?? create(SchemaSchema);
  const change = (next: Schema) => onChange({ ...variable, schema: next });
  return (
    <section className="stack" aria-label={`Variable ${variable.name}`}>
      <div className="row">
        <h2>
          <code>{variable.name || "(unnamed)"}</code>
        </h2>
        <div className="end">
          <WhileEditing>
            <IconButton small label="Remove variable" onPress={onRemove}>
              <Trash2 size={15} aria-hidden="true" />
            </IconButton>
          </WhileEditing>
        </div>
      </div>
      <div className="two">
        <TextField
          label="Name"
          value={variable.name}
          onChange={(name) => onChange({ ...variable, name })}
          error={errorAt(errors, `${path}.name`) ?? nameProblem(variable.name)}
          required
        />
        <SelectField
          label="Type"
          value={String(schema.type)}
          choices={TYPES.map((type) => ({ value: String(type), label: fieldLabel(Schema_Type[type] ?? "") }))}
          onChange={(type) => change({ ...schema, type: Number(type) })}
        />
      </div>
      <TextField
        label="Description"
        lines={2}
        value={variable.description}
        onChange={(description) => onChange({ ...variable, description })}
        error={errorAt(errors, `${path}.description`)}
      />
      <DefaultField schema={schema} onChange={change} path={`${path}.schema.default`} />
      <JsonValueEditor
        desc={SchemaSchema}
        label="Schema"
        value={schema}
        onChange={(next) => onChange({ ...variable, ...(isSchema(next) ? { schema: next } : {}) })}
        path={`${path}.schema`}
      />
    </section>
  );
}

interface DefaultFieldProps {
  readonly schema: Schema;
  readonly onChange: (next: Schema) => void;
  readonly path: string;
}

/** The value at the beginning of a conversation. Texts are written as they are, all else as JSON. */
function DefaultField({ schema, onChange, path }: DefaultFieldProps) {
  const [typed, setTyped] = useState<string>();
  useUnreadable(path, typed !== undefined);
  const isText = schema.type === Schema_Type.STRING;
  const json = schema.default ? toJson(ValueSchema, schema.default) : undefined;
  const written = json === undefined ? "" : isText && typeof json === "string" ? json : JSON.stringify(json);
  const change = (text: string) => {
    const read = readDefault(text, isText);
    setTyped(read === "unreadable" ? text : undefined);
    if (read === "unreadable") return;
    const { default: _, ...rest } = schema;
    onChange(read === undefined ? rest : { ...rest, default: read });
  };
  return (
    <TextField
      label="Default value"
      value={typed ?? written}
      onChange={change}
      hint={isText ? "Leave empty for no default." : "A JSON value. Leave empty for no default."}
      error={typed === undefined ? undefined : "Invalid JSON."}
    />
  );
}

function readDefault(text: string, isText: boolean) {
  if (text === "") return undefined;
  if (isText) return fromJson(ValueSchema, text);
  try {
    return fromJson(ValueSchema, JSON.parse(text));
  } catch {
    return "unreadable" as const;
  }
}

function nameProblem(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name)
    ? undefined
    : "A name starts with a letter or an underscore and contains only letters, digits and underscores.";
}

function isSchema(value: unknown): value is Schema {
  return (
    typeof value === "object" && value !== null && "$typeName" in value && value.$typeName === SchemaSchema.typeName
  );
}
