import { useEffect, useState } from "react";
import { TextField } from "./field.tsx";

interface TypedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
}

/** Milliseconds without a key until what was typed counts. */
const PAUSE_MS = 350;

/** A field whose text counts once the person pauses. */
export function TypedField({ label, value, onChange, placeholder }: TypedFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait anew
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <TextField label={label} value={typed} onChange={setTyped} type="search" placeholder={placeholder} />;
}
