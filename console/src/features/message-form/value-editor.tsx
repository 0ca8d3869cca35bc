import { type DescEnum, type DescField, ScalarType } from "@bufbuild/protobuf";
import { useState } from "react";
import { SelectField, Switch, TextField } from "../../components/field.tsx";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import type { CodeLanguage } from "../code-editor/code-language.ts";
import { BytesEditor } from "./bytes-editor.tsx";
import { referenceType } from "./field-annotations.ts";
import { fieldLabel } from "./field-labels.ts";
import { useFormContext, useUnreadable } from "./form-context.ts";

interface ValueEditorProps {
  /** The field whose single value, or whose element, is edited. */
  readonly kind: DescField;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
  readonly required?: boolean;
  readonly hideLabel?: boolean;
}

/** The editor of one text, number, switch or choice. */
export function ValueEditor(props: ValueEditorProps) {
  const { kind } = props;
  if (kind.enum) return <EnumEditor {...props} desc={kind.enum} />;
  switch (kind.scalar) {
    case ScalarType.BOOL:
      return <BoolEditor {...props} />;
    case ScalarType.STRING:
      return <TextEditor {...props} />;
    case ScalarType.BYTES:
      return <BytesEditor {...props} />;
    default:
      return <NumberEditor {...props} />;
  }
}

function EnumEditor({ desc, label, hint, value, onChange, hideLabel }: ValueEditorProps & { readonly desc: DescEnum }) {
  return (
    <SelectField
      label={label}
      hideLabel={hideLabel ?? false}
      hint={hint}
      value={String(value ?? 0)}
      choices={desc.values.map(({ number, name }) => ({ value: String(number), label: enumWords(name, number) }))}
      onChange={(number) => onChange(Number(number))}
    />
  );
}

function enumWords(name: string, number: number): string {
  return number === 0 && name.endsWith("UNSPECIFIED") ? "Not set" : fieldLabel(name);
}

function BoolEditor({ kind, label, hint, value, onChange, path }: ValueEditorProps) {
  const { errors } = useFormContext();
  const problem = errors.get(path);
  return (
    <div className="field">
      <Switch selected={value === true} onChange={onChange}>
        {label}
        {kind.fieldKind === "scalar" && value === undefined && <span className="muted">(not set)</span>}
      </Switch>
      {hint && <span className="hint">{hint}</span>}
      {problem && <span className="invalid">{problem}</span>}
    </div>
  );
}

function TextEditor({ kind, label, hint, value, onChange, path, required, hideLabel }: ValueEditorProps) {
  const { errors, resourcesOf } = useFormContext();
  const text = typeof value === "string" ? value : "";
  const choices = resourcesOf(referenceType(kind) ?? "", path);
  if (choices) {
    const known = choices.some((choice) => choice.value === text);
    const all = [
      { value: "", label: "Not set" },
      ...choices,
      ...(known || text === "" ? [] : [{ value: text, label: text }]),
    ];
    return (
      <SelectField
        label={label}
        hideLabel={hideLabel ?? false}
        hint={errors.get(path) ? <span className="invalid">{errors.get(path)}</span> : hint}
        value={text}
        choices={all}
        onChange={onChange}
      />
    );
  }
  const shape = textShape(kind.name, text);
  const shared = { label, value: text, onChange, error: errors.get(path), hideLabel: hideLabel ?? false };
  if (shape.kind === "code") return <CodeEditor {...shared} language={shape.language} hint={hint} />;
  return <TextField {...shared} hint={hint} lines={shape.lines} required={required ?? false} />;
}

const BIG = new Set([ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64, ScalarType.FIXED64, ScalarType.SFIXED64]);
const BROKEN = new Set([ScalarType.DOUBLE, ScalarType.FLOAT]);

function NumberEditor({ kind, label, hint, value, onChange, path, hideLabel }: ValueEditorProps) {
  const { errors } = useFormContext();
  const [typed, setTyped] = useState<string>();
  useUnreadable(path, typed !== undefined);
  const scalar = kind.scalar ?? ScalarType.INT32;
  const optional = kind.presence === 1 && kind.fieldKind === "scalar";
  const written = value === undefined || (!optional && Number(value) === 0) ? "" : String(value);
  const change = (text: string) => {
    const read = readNumber(text.trim(), scalar);
    setTyped(read === "unreadable" ? text : undefined);
    if (read === "unreadable") return;
    onChange(read ?? (optional ? undefined : BIG.has(scalar) ? 0n : 0));
  };
  const problem = typed === undefined ? undefined : BROKEN.has(scalar) ? "Enter a number." : "Enter a whole number.";
  return (
    <TextField
      label={label}
      hideLabel={hideLabel ?? false}
      value={typed ?? written}
      onChange={change}
      hint={hint}
      error={problem ?? errors.get(path)}
    />
  );
}

function readNumber(text: string, scalar: ScalarType): number | bigint | undefined | "unreadable" {
  if (text === "") return undefined;
  if (BROKEN.has(scalar)) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : "unreadable";
  if (!/^-?\d+$/.test(text)) return "unreadable";
  return BIG.has(scalar) ? BigInt(text) : Number(text);
}

/** How a text is entered: on lines of a field, or in an editor of its language. */
type TextShape =
  | { readonly kind: "line"; readonly lines?: number }
  | { readonly kind: "code"; readonly language: CodeLanguage };

const CODE: Readonly<Record<string, CodeLanguage>> = {
  python_code: "python",
  python_script: "python",
  open_api_schema: "yaml",
  instruction: "instruction",
  global_instruction: "instruction",
};
const LONG =
  /^(description|prompt|text|expression|personality|tls_certificate|banned_contents\w*|generated_summary|.*_prompt)$/;

/** The shape of a text, from its field's name and from what is in it already. */
function textShape(name: string, text: string): TextShape {
  const language = CODE[name];
  if (language) return { kind: "code", language };
  if (LONG.test(name) || text.includes("\n")) return { kind: "line", lines: text.length > 400 ? 10 : 3 };
  return { kind: "line" };
}
