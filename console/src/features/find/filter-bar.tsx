import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { DayField } from "../../components/day-field.tsx";
import { type Choice, Field, Pick } from "../../components/field.tsx";
import { type Criteria, EVERYTHING, type Outcome, type SourceName, type TimeChoice } from "./criteria.ts";

const TIME_CHOICES: readonly Choice<TimeChoice>[] = [
  { value: "any", label: "Any time" },
  { value: "hour", label: "Last hour" },
  { value: "today", label: "Today" },
  { value: "yesterday", label: "Yesterday" },
  { value: "week", label: "Last 7 days" },
  { value: "month", label: "Last 30 days" },
  { value: "between", label: "Between two days" },
];
const SOURCE_CHOICES: readonly Choice<SourceName | "">[] = [
  { value: "", label: "Everywhere" },
  { value: "live", label: "Live" },
  { value: "simulator", label: "Simulator" },
  { value: "evaluation", label: "Evaluation" },
  { value: "agent_tool", label: "Agent as a tool" },
];
const OUTCOME_CHOICES: readonly Choice<Outcome>[] = [
  { value: "any", label: "Any way" },
  { value: "failed", label: "Something failed" },
  { value: "escalated", label: "Handed to a person" },
  { value: "stopped", label: "A guardrail acted" },
];

interface FilterBarProps {
  readonly criteria: Criteria;
  /** The filter that the criteria make, as it is sent. */
  readonly filter: string;
  readonly onChange: (criteria: Criteria) => void;
}

/** Asks for conversations in a person's words and shows the filter text that these make. */
export function FilterBar({ criteria, filter, onChange }: FilterBarProps) {
  const set = (change: Partial<Criteria>) => onChange({ ...criteria, ...change });
  const asked = JSON.stringify(criteria) !== JSON.stringify(EVERYTHING);
  return (
    <search className="filter-bar">
      <div className="filter-fields">
        <TypedField label="Words that were said" value={criteria.words} onChange={(words) => set({ words })} />
        <Pick label="When" value={criteria.time} choices={TIME_CHOICES} onChange={(time) => set({ time })} />
        {criteria.time === "between" && (
          <>
            <DayField label="First day" value={criteria.from} onChange={(from) => set({ from })} />
            <DayField label="Last day" value={criteria.until} onChange={(until) => set({ until })} />
          </>
        )}
        <Pick
          label="How it went"
          value={criteria.outcome}
          choices={OUTCOME_CHOICES}
          onChange={(outcome) => set({ outcome })}
        />
        <Pick label="From" value={criteria.source} choices={SOURCE_CHOICES} onChange={(source) => set({ source })} />
        <TypedField label="Session id" value={criteria.id} onChange={(id) => set({ id })} />
      </div>
      <details className="filter-text">
        <summary>Filter of the API</summary>
        <div className="stack tight">
          <TypedField
            label="Further conditions"
            value={criteria.more}
            onChange={(more) => set({ more })}
            placeholder='turn_count > 3 AND language_code = "de-DE"'
          />
          <CodeBlock wrapped label="the filter" text={filter || "No filter: everything"} />
        </div>
      </details>
      {asked && (
        <div>
          <Button small tone="plain" onPress={() => onChange(EVERYTHING)}>
            <X size={15} aria-hidden="true" /> Clear all
          </Button>
        </div>
      )}
    </search>
  );
}

interface TypedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
}

const PAUSE_MS = 350;

/** A field whose text counts once the person pauses. */
function TypedField({ label, value, onChange, placeholder }: TypedFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait anew
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field label={label} value={typed} onChange={setTyped} type="search" {...(placeholder && { placeholder })} />;
}
