import { X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { type Choice, DateField, SelectField } from "../../components/field.tsx";
import { TypedField } from "../../components/typed-field.tsx";
import { NO_CRITERIA, type Outcome, type SearchCriteria, type SourceName, type TimeChoice } from "./search-criteria.ts";

const TIME_CHOICES: readonly Choice<TimeChoice>[] = [
  { value: "any", label: "Any time" },
  { value: "hour", label: "Last hour" },
  { value: "today", label: "Today" },
  { value: "yesterday", label: "Yesterday" },
  { value: "week", label: "Last 7 days" },
  { value: "month", label: "Last 30 days" },
  { value: "custom", label: "Custom range" },
];
const SOURCE_CHOICES: readonly Choice<SourceName | "">[] = [
  { value: "", label: "Any source" },
  { value: "live", label: "Live" },
  { value: "simulator", label: "Simulator" },
  { value: "evaluation", label: "Evaluation" },
  { value: "agent_tool", label: "Agent tool" },
];
const OUTCOME_CHOICES: readonly Choice<Outcome>[] = [
  { value: "any", label: "Any outcome" },
  { value: "failed", label: "Failures" },
  { value: "escalated", label: "Escalated" },
  { value: "guardrail", label: "Guardrail triggered" },
];

interface FilterBarProps {
  readonly criteria: SearchCriteria;
  /** The filter that the criteria make, as it is sent. */
  readonly filter: string;
  readonly onChange: (criteria: SearchCriteria) => void;
}

/** Asks for conversations in a person's words and shows the filter text that these make. */
export function FilterBar({ criteria, filter, onChange }: FilterBarProps) {
  const set = (change: Partial<SearchCriteria>) => onChange({ ...criteria, ...change });
  const asked = JSON.stringify(criteria) !== JSON.stringify(NO_CRITERIA);
  return (
    <search className="filter-bar">
      <div className="filter-fields">
        <TypedField
          label="Search transcript"
          value={criteria.transcript}
          onChange={(transcript) => set({ transcript })}
        />
        <SelectField
          label="Time range"
          value={criteria.time}
          choices={TIME_CHOICES}
          onChange={(time) => set({ time })}
        />
        {criteria.time === "custom" && (
          <>
            <DateField label="Start date" value={criteria.from} onChange={(from) => set({ from })} />
            <DateField label="End date" value={criteria.until} onChange={(until) => set({ until })} />
          </>
        )}
        <SelectField
          label="Outcome"
          value={criteria.outcome}
          choices={OUTCOME_CHOICES}
          onChange={(outcome) => set({ outcome })}
        />
        <SelectField
          label="Source"
          value={criteria.source}
          choices={SOURCE_CHOICES}
          onChange={(source) => set({ source })}
        />
        <TypedField label="Session ID" value={criteria.session} onChange={(session) => set({ session })} />
      </div>
      {criteria.time === "custom" &&
        criteria.from !== "" &&
        criteria.until !== "" &&
        criteria.until < criteria.from && (
          <p className="invalid" role="alert">
            The end date is before the start date, so no conversation can match.
          </p>
        )}
      <details className="filter-text">
        <summary>Advanced filter</summary>
        <div className="stack tight">
          <TypedField
            label="Filter expression"
            value={criteria.filter}
            onChange={(next) => set({ filter: next })}
            placeholder='turn_count > 3 AND language_code = "de-DE"'
          />
          <CodeBlock wrapped label="filter" text={filter || "No filter"} />
        </div>
      </details>
      {asked && (
        <div>
          <Button small tone="plain" onPress={() => onChange(NO_CRITERIA)}>
            <X size={15} aria-hidden="true" /> Clear filters
          </Button>
        </div>
      )}
    </search>
  );
}
