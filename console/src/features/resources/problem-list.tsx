import { Link } from "@tanstack/react-router";
import { Banner } from "../../components/banner.tsx";
import type { Problem } from "./problem.ts";
import type { EditSearch } from "./use-tab.ts";
import "../../styles/edit/problem-list.css";

/** A problem, and the page that mends it. */
export interface PlacedProblem {
  readonly problem: Problem;
  /** Absent: there is no page for it. */
  readonly to?: string;
  readonly search?: EditSearch;
}

/** What the server found wrong with the configuration, each with the way to its place. */
export function ProblemList({ problems }: { readonly problems: readonly PlacedProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <Banner tone="warning">
      <p>{problems.length === 1 ? "One thing to look at:" : `${problems.length} things to look at:`}</p>
      <ul className="problem-list">
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

function placeOf({ subject, path, line }: Problem): string {
  const place = [subject, path, line > 0 ? `line ${line}` : ""].filter(Boolean).join(", ");
  return place === "" ? "" : `${place}:`;
}
