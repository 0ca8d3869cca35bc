import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import { Link } from "@tanstack/react-router";
import { pagePath, resourceId } from "../../api/resource-names.ts";
import { Badge } from "../../components/badge.tsx";
import "../../styles/evaluations.css";

interface LossReportProps {
  readonly run: EvaluationRun;
  /** Display names by evaluation name. */
  readonly titles: ReadonlyMap<string, string>;
}

/** The failures of a run by cause; nothing for a run without a loss report, or without failures. */
export function LossReportView({ run: { optimizationConfig }, titles }: LossReportProps) {
  const losses = lossesOf(optimizationConfig?.lossReport?.losses);
  if (losses.length === 0) return null;
  return (
    <section className="stack" aria-label="Failures by cause">
      <h2>Failures by cause</h2>
      <p className="page-text">{optimizationConfig?.reportSummary}</p>
      {losses.map(({ cause, count, explanation, evaluations }) => (
        <article key={cause} className="outcome" aria-label={cause}>
          <header>
            <h3>{cause}</h3>
            <Badge tone="error">{count === 1 ? "1 result" : `${count} results`}</Badge>
          </header>
          {explanation !== "" && <p className="muted">{explanation}</p>}
          <p>
            {evaluations.map((name, at) => (
              <span key={name}>
                {at > 0 && ", "}
                <Link to={pagePath(name)}>{titles.get(name) ?? resourceId(name)}</Link>
              </span>
            ))}
          </p>
        </article>
      ))}
    </section>
  );
}

interface Loss {
  readonly cause: string;
  readonly count: number;
  readonly explanation: string;
  readonly evaluations: readonly string[];
}

/** The report is a free-form object; entries of another form are left out. */
function lossesOf(losses: unknown): readonly Loss[] {
  return (Array.isArray(losses) ? losses : []).flatMap((loss: Partial<Record<keyof Loss, unknown>> | null) => {
    const { cause, count, explanation = "", evaluations } = loss ?? {};
    if (typeof cause !== "string" || typeof count !== "number" || !Array.isArray(evaluations)) return [];
    return [{ cause, count, explanation: String(explanation), evaluations: evaluations.map(String) }];
  });
}
