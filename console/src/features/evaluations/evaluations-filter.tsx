import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import { useMemo } from "react";
import { SelectField, TextField } from "../../components/field.tsx";
import type { EvaluationsSearch, LastRun } from "./evaluation-search.ts";

interface EvaluationsFilterProps {
  readonly evaluations: readonly Evaluation[];
  readonly search: EvaluationsSearch;
  readonly onChange: (search: EvaluationsSearch) => void;
  /** The version whose last run is meant, as its column is called. */
  readonly version: string;
}

/** The value of a choice that leaves nothing out. */
const ALL = "";

/** Narrows a list of evaluations by words, a tag, and what came of their last run. */
export function EvaluationsFilter({ evaluations, search, onChange, version }: EvaluationsFilterProps) {
  const tags = useMemo(() => [...new Set(evaluations.flatMap((one) => one.tags))].sort(), [evaluations]);
  const { words = "", tag = ALL, last = ALL } = search;
  return (
    <div className="filter-fields">
      <TextField
        label="Find"
        type="search"
        value={words}
        placeholder="Words of name, description or tags"
        onChange={(value) => onChange({ ...search, words: value })}
      />
      {tags.length > 0 && (
        <SelectField
          label="Tag"
          value={tag}
          choices={[{ value: ALL, label: "All tags" }, ...tags.map((value) => ({ value, label: value }))]}
          onChange={(value) => onChange({ ...search, tag: value })}
        />
      )}
      <SelectField<LastRun | typeof ALL>
        label={`Last run, ${version}`}
        value={last}
        choices={[
          { value: ALL, label: "Any" },
          { value: "failed", label: "Failed" },
          { value: "not-measured", label: "Not measured" },
          { value: "passed", label: "Passed" },
          { value: "not-run", label: "Never ran" },
        ]}
        onChange={(value) => onChange(value === ALL ? { words, tag } : { ...search, last: value })}
      />
    </div>
  );
}
