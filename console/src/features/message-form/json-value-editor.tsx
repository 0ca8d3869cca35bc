import {
  create,
  type DescMessage,
  fromJson,
  isMessage,
  type JsonObject,
  type JsonValue,
  toJson,
} from "@bufbuild/protobuf";
import { useState } from "react";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import { useFormContext, useUnreadable } from "./form-context.ts";

interface JsonValueEditorProps {
  readonly desc: DescMessage;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
}

/** A value written as JSON; what cannot be read yet stays in the editor and goes nowhere. */
export function JsonValueEditor({ desc, label, value, onChange, path }: JsonValueEditorProps) {
  const { errors } = useFormContext();
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: unknown; readonly problem?: string }>();
  const change = (text: string) => {
    try {
      const read = readJson(desc, text);
      setTyped({ text, of: read });
      onChange(read);
    } catch (error) {
      setTyped({ text, of: value, problem: error instanceof Error ? error.message : String(error) });
    }
  };
  const isMine = typed !== undefined && typed.of === value;
  useUnreadable(path, isMine && typed.problem !== undefined);
  return (
    <CodeEditor
      label={label}
      language="json"
      low
      value={isMine ? typed.text : writeJson(desc, value)}
      onChange={change}
      error={(isMine ? typed.problem : undefined) ?? errors.get(path)}
    />
  );
}

/** Parses JSON to a value of the field's type; an empty text is a field that is not set. */
function readJson(desc: DescMessage, text: string): unknown {
  if (text.trim() === "") return undefined;
  const json: JsonValue = JSON.parse(text);
  if (desc.typeName === "google.protobuf.Struct") {
    if (typeof json !== "object" || json === null || Array.isArray(json))
      throw new Error("Enter a JSON object: { … }.");
    return json satisfies JsonObject;
  }
  return fromJson(desc, json);
}

function writeJson(desc: DescMessage, value: unknown): string {
  if (value === undefined) return "";
  const json =
    desc.typeName === "google.protobuf.Struct" ? value : toJson(desc, isMessage(value) ? value : create(desc));
  return JSON.stringify(json, null, 2);
}
