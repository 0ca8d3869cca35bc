import type { Agent } from "@frontdesk/protos/ces/agent";
import type { Span } from "@frontdesk/protos/ces/common";
import { Link } from "@tanstack/react-router";
import { pagePath } from "../../../api/resource-names.ts";
import { apps } from "../../../api/resource-types.ts";
import { useResource } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { tabOfAgentField } from "../../agents/agent-tabs.ts";
import { parseValidationError } from "../../resources/validation-error.ts";
import { type LocatedValidationError, ValidationErrorList } from "../../resources/validation-error-list.tsx";
import { useAppValidationErrors } from "../../settings/use-app-validation-errors.ts";
import { callbackSearch } from "../app-code-index.ts";
import { textsOf } from "../span-rows.ts";
import { callbackRuns } from "./callback-runs.ts";
import "../../../styles/traces/checks.css";

interface ChecksViewProps {
  readonly app: string;
  readonly agents: readonly Agent[];
  readonly rootSpan: Span;
}

/** The callbacks of the agents in a turn and why some did not run, and the validation warnings of the app and its agents. */
export function ChecksView({ app, agents, rootSpan }: ChecksViewProps) {
  const ofApp = useAppValidationErrors(useResource(apps, app).data);
  const runs = callbackRuns(agents, rootSpan);
  const warnings = textsOf(rootSpan.attributes?.warnings);
  const problems = [...ofApp, ...agents.flatMap(agentValidationErrors)];
  return (
    <div className="stack">
      {warnings.length > 0 && (
        <section>
          <h3>Ignored in this turn</h3>
          <ul className="problems">
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>Callbacks</h3>
        {runs.length === 0 && <p className="muted">The agents of this turn have no callbacks.</p>}
        <ul className="callback-runs">
          {runs.map(({ agent, resource, stage, at, description, runs: count, reason }) => (
            <li key={`${agent}/${stage}/${at}`}>
              <Badge tone={reason ? (count > 0 ? "error" : "warning") : "success"}>
                {count === 0 ? "Did not run" : count === 1 ? "Ran" : `Ran ${count} times`}
              </Badge>
              <div>
                <Link to={pagePath(resource)} search={callbackSearch(stage, at)}>
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
        <h3>Validation</h3>
        {problems.length === 0 ? (
          <p className="muted">The app and its agents are valid.</p>
        ) : (
          <ValidationErrorList problems={problems} />
        )}
      </section>
    </div>
  );
}

/** Validation of an agent, each with the way to its place. */
function agentValidationErrors({ name, displayName, validationErrors }: Agent): readonly LocatedValidationError[] {
  return validationErrors.map(parseValidationError).map((problem) => ({
    problem: { ...problem, subject: `Agent '${displayName}'` },
    to: pagePath(name),
    search: tabOfAgentField(problem),
  }));
}
