import type { DescField } from "@bufbuild/protobuf";
import { fieldBehaviors, referenceType } from "./field-annotations.ts";
import { fieldHint } from "./field-hints.ts";
import { fieldLabel } from "./field-labels.ts";
import { useFormContext } from "./form-context.ts";
import { ListEditor } from "./list-editor.tsx";
import { MapEditor } from "./map-editor.tsx";
import { MessageEditor } from "./message-editor.tsx";
import { ReferenceList } from "./reference-list.tsx";
import { ValueEditor } from "./value-editor.tsx";

/** What an editor of one field gets. */
interface FieldEditorProps {
  readonly field: DescField;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  /** The field's path within the resource, as in errors of the API. */
  readonly path: string;
}

/** The editor of one field, by the type in its definition. */
export function FieldEditor({ field, value, onChange, path }: FieldEditorProps) {
  const { resourcesOf } = useFormContext();
  const label = fieldLabel(field.name);
  switch (field.fieldKind) {
    case "list": {
      const choices = field.listKind === "scalar" ? resourcesOf(referenceType(field) ?? "", path) : undefined;
      if (choices)
        return <ReferenceList label={label} choices={choices} value={value} onChange={onChange} path={path} />;
      return <ListEditor field={field} value={value} onChange={onChange} path={path} />;
    }
    case "map":
      return <MapEditor field={field} value={value} onChange={onChange} path={path} />;
    case "message":
      return (
        <MessageEditor
          desc={field.message}
          label={label}
          value={value}
          onChange={onChange}
          path={path}
          required={fieldBehaviors(field).required}
        />
      );
    default:
      return (
        <ValueEditor
          kind={field}
          label={label}
          hint={fieldHint(field)}
          value={value}
          onChange={onChange}
          path={path}
          required={fieldBehaviors(field).required}
        />
      );
  }
}
