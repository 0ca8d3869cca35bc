import { useQuery } from "@connectrpc/connect-query";
import type { Agent } from "@frontdesk/protos/ces/agent";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Span } from "@frontdesk/protos/ces/common";
import { Badge } from "../../../components/badge.tsx";
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
  const found = useQuery(AgentService.method.getApp, { name: app }).data;
  const runs = callbackRuns(agents, rootSpan);
  const warnings = textsOf(rootSpan.attributes?.warnings);
  const problems = [
    ...(found?.validationErrors ?? []).map((text) => ({ where: found?.displayName ?? "App", text })),
    ...agents.flatMap(({ displayName, validationErrors }) =>
      validationErrors.map((text) => ({ where: displayName, text })),
    ),
  ];
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
          {runs.map(({ agent, stage, at, description, runs: count, reason }) => (
            <li key={`${agent}/${stage}/${at}`}>
              <Badge tone={reason ? (count > 0 ? "bad" : "warning") : "good"}>
                {count === 0 ? "Did not run" : count === 1 ? "Ran" : `Ran ${count} times`}
              </Badge>
              <div>
                <code>
                  {stage}_callbacks[{at}]
                </code>{" "}
                of {agent}
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
          <ul className="problems">
            {problems.map(({ where, text }) => (
              <li key={`${where}: ${text}`}>
                <b>{where}</b> {text}
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
