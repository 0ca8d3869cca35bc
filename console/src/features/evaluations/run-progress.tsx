import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import "../../styles/evaluations.css";

/** How far a run is; each quarter of it is announced, not each result. */
export function RunProgress({ progress }: Pick<EvaluationRun, "progress">) {
  const { totalCount = 0, completedCount = 0, errorCount = 0, cancelledCount = 0 } = progress ?? {};
  const done = completedCount + errorCount + cancelledCount;
  return (
    <div className="run-progress">
      <progress max={Math.max(totalCount, 1)} value={done} aria-label="Progress of the run" />
      <span>
        {done} of {totalCount} done
      </span>
      <span className="visually-hidden" role="status">
        {Math.floor((4 * done) / Math.max(totalCount, 1)) * 25}% of the run done
      </span>
    </div>
  );
}
