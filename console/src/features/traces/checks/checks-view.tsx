import type { Agent } from "@frontdesk/protos/ces/agent";
import type { Span } from "@frontdesk/protos/ces/common";
import { Link } from "@tanstack/react-router";
import { apps } from "../../../api/kinds/apps.ts";
import { addressOf } from "../../../api/resource-address.ts";
import { useResource } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { tabOfAgentField } from "../../agents/agent-tabs.ts";
import { parseProblem } from "../../resources/problem.ts";
import { type PlacedProblem, ProblemList } from "../../resources/problem-list.tsx";
import { useAppProblems } from "../../settings/use-app-problems.ts";
import { callbackSearch } from "../code-place.ts";
import { textsOf } from "../span-rows.ts";
import { callbackRuns } from "./callback-runs.ts";
import "../../../styles/traces/checks.css";

interface ChecksViewProps {
  readonly app: string;
  readonly agents: readonly Agent[];
  readonly rootSpan: Span;
}

/** Why things did not happen: each callback of the turn's agents, and what validation says of app and agents. */
export function ChecksView({ app, agents, rootSpan }: ChecksViewProps) {
  const ofApp = useAppProblems(useResource(apps, app).data);
  const runs = callbackRuns(agents, rootSpan);
  const warnings = textsOf(rootSpan.attributes?.warnings);
  const problems = [...ofApp, ...agents.flatMap(agentProblems)];
  return (
    <div className="stack">
      {warnings.length > 0 && (
        <section>
          <h3>Left out of this turn</h3>
          <ul className="problems">
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>Callbacks of the agents of this turn</h3>
        {runs.length === 0 && <p className="muted">They have none.</p>}
        <ul className="callback-runs">
          {runs.map(({ agent, resource, stage, at, description, runs: count, reason }) => (
            <li key={`${agent}/${stage}/${at}`}>
              <Badge tone={reason ? (count > 0 ? "bad" : "warning") : "good"}>
                {count === 0 ? "Did not run" : count === 1 ? "Ran" : `Ran ${count} times`}
              </Badge>
              <div>
                <Link to={addressOf(resource)} search={callbackSearch(stage, at)}>
                  <code>
                    {stage}_callbacks[{at}]
                  </code>{" "}
                  of {agent}
                </Link>
                {description && <p className="muted">{description}</p>}
                {reason && <p className="reason">{reason}</p>}
              </div>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>What validation says</h3>
        {problems.length === 0 ? (
          <p className="muted">No problem was found in the app and its agents.</p>
        ) : (
          <ProblemList problems={problems} />
        )}
      </section>
    </div>
  );
}

/** What validation says of an agent, each with the way to its place. */
function agentProblems({ name, displayName, validationErrors }: Agent): readonly PlacedProblem[] {
  return validationErrors.map(parseProblem).map((problem) => ({
    problem: { ...problem, subject: `Agent '${displayName}'` },
    to: addressOf(name),
    search: tabOfAgentField(problem),
  }));
}
