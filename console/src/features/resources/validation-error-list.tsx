import { Link } from "@tanstack/react-router";
import { doesNotLoad } from "../../api/does-not-load.ts";
import { Badge } from "../../components/badge.tsx";
import { Banner } from "../../components/banner.tsx";
import type { EditSearch } from "./use-tab.ts";
import type { ValidationError } from "./validation-error.ts";
import "../../styles/edit/validation-errors.css";

/** Whether a resource is valid, has code that does not load, or how many warnings its validation gave. */
export function ValidationBadge({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return <Badge tone="success">Valid</Badge>;
  if (sentences.some(doesNotLoad)) return <Badge tone="error">Does not load</Badge>;
  return <Badge tone="warning">{sentences.length === 1 ? "1 warning" : `${sentences.length} warnings`}</Badge>;
}

/** A problem, and the page that mends it. */
export interface LocatedValidationError {
  readonly problem: ValidationError;
  /** Absent: there is no page for it. */
  readonly to?: string;
  readonly search?: EditSearch;
}

/** What the server found wrong with the configuration, each with the way to its place. */
export function ValidationErrorList({ problems }: { readonly problems: readonly LocatedValidationError[] }) {
  if (problems.length === 0) return null;
  const failed = problems.some(({ problem }) => doesNotLoad(problem.text));
  const word = failed ? "problem" : "warning";
  return (
    <Banner tone={failed ? "error" : "warning"}>
      <p>{problems.length === 1 ? `1 ${word}:` : `${problems.length} ${word}s:`}</p>
      <ul className="validation-errors">
        {problems.map(({ problem, to, search }) => (
          <li key={JSON.stringify(problem)}>
            {to ? (
              <Link to={to} search={search ?? {}}>
                {placeOf(problem)}
              </Link>
            ) : (
              <b>{placeOf(problem)}</b>
            )}{" "}
            {problem.text}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function placeOf({ subject, path, line }: ValidationError): string {
  const place = [subject, path, line > 0 ? `line ${line}` : ""].filter(Boolean).join(", ");
  return place === "" ? "" : `${place}:`;
}
