import { useId } from "react";

interface DayFieldProps {
  readonly label: string;
  /** As `2026-11-20`; "" is none. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A day, chosen with the browser's own calendar. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input" type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
