import { type DescMessage, fromJson, toJson } from "@bufbuild/protobuf";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { useState } from "react";
import { TextField } from "../../components/field.tsx";
import { useFormContext, useUnreadable } from "./form-context.ts";

interface TimeEditorProps {
  readonly desc: DescMessage;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
}

/** A duration in seconds (`30s`) or a point in time (RFC 3339), as the API writes them. Empty is not set. */
export function TimeEditor({ desc, label, value, onChange, path }: TimeEditorProps) {
  const { errors } = useFormContext();
  const isDuration = desc.typeName === "google.protobuf.Duration";
  const written = write(value);
  const [typed, setTyped] = useState<string>();
  useUnreadable(path, typed !== undefined);
  const change = (text: string) => {
    const read = parse(text.trim(), isDuration);
    setTyped(read === "unreadable" ? text : undefined);
    if (read !== "unreadable") onChange(read);
  };
  const unreadable =
    typed === undefined
      ? undefined
      : `Enter a ${isDuration ? "duration, for example 30s" : "timestamp, for example 2026-01-31T12:00:00Z"}.`;
  return (
    <TextField
      label={label}
      value={typed ?? written}
      onChange={change}
      placeholder={isDuration ? "30s" : "2026-01-31T12:00:00Z"}
      error={unreadable ?? errors.get(path)}
    />
  );
}

function write(value: unknown): string {
  if (isTimestamp(value)) return String(toJson(TimestampSchema, value));
  return isDuration(value) ? String(toJson(DurationSchema, value)) : "";
}

function parse(text: string, duration: boolean): Duration | Timestamp | undefined | "unreadable" {
  if (text === "") return undefined;
  try {
    return duration ? fromJson(DurationSchema, /s$/.test(text) ? text : `${text}s`) : fromJson(TimestampSchema, text);
  } catch {
    return "unreadable";
  }
}

function isTimestamp(value: unknown): value is Timestamp {
  return typeOf(value) === TimestampSchema.typeName;
}

function isDuration(value: unknown): value is Duration {
  return typeOf(value) === DurationSchema.typeName;
}

function typeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "$typeName" in value ? value.$typeName : undefined;
}
