import { Link, useParams } from "@tanstack/react-router";
import { useMay } from "../../api/permissions.ts";
import { evaluationOf, pagePath } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { useResult } from "../../features/evaluations/evaluation-queries.ts";
import { GoldenResultView } from "../../features/evaluations/golden-result-view.tsx";
import { ScenarioResultView } from "../../features/evaluations/scenario-result-view.tsx";
import { ScoreAgain } from "../../features/evaluations/score-again.tsx";
import { resultState } from "../../features/evaluations/verdict.ts";
import { VerdictBadge } from "../../features/evaluations/verdict-badge.tsx";
import { useAppName } from "./use-app-name.ts";
import "../../styles/evaluations.css";

/** One result: what was expected and what was observed, check by check, beside the trace. */
export function EvaluationResultRoute() {
  const app = useAppName();
  const { evaluation = "", result: id = "" } = useParams({ strict: false });
  const name = `${app}/evaluations/${evaluation}/results/${id}`;
  const { data: found, error } = useResult(name);
  const may = useMay(app);
  if (!found) {
    return (
      <Page title="Result">
        {error ? <Banner tone="error" error={toStatusError(error)} /> : <Loading>Loading result…</Loading>}
      </Page>
    );
  }
  const { result } = found;
  return (
    <Page
      title={found.displayName}
      actions={
        <>
          {result.case && may("ces.apps.runEvaluation") && <ScoreAgain result={name} />}
          <Link className="button" to={pagePath(evaluationOf(name))}>
            Evaluation
          </Link>
          {found.evaluationRun && (
            <Link className="button" to={pagePath(found.evaluationRun)}>
              Run
            </Link>
          )}
        </>
      }
    >
      <div className="stack">
        <div className="row wrap">
          <VerdictBadge state={resultState(found)} />
          <span className="muted">
            {found.appVersionDisplayName || "Draft"}, <DateTime time={found.createTime} />
          </span>
        </div>
        {found.errorInfo?.errorMessage && <Banner tone="warning">{found.errorInfo.errorMessage}</Banner>}
        {result.case === "goldenResult" && <GoldenResultView key={name} app={app} result={result.value} />}
        {result.case === "scenarioResult" && <ScenarioResultView key={name} app={app} result={result.value} />}
        {!result.case && resultState(found) === "queued" && <Loading>Waiting for the run…</Loading>}
      </div>
    </Page>
  );
}
