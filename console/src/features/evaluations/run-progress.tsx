import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import "../../styles/evaluations.css";

/** How far a run is; changes are announced. */
export function RunProgress({ progress }: Pick<EvaluationRun, "progress">) {
  const { totalCount = 0, completedCount = 0, errorCount = 0, cancelledCount = 0 } = progress ?? {};
  const done = completedCount + errorCount + cancelledCount;
  return (
    <div className="run-progress" role="status">
      <progress max={Math.max(totalCount, 1)} value={done} aria-label="Progress of the run" />
      <span>
        {done} of {totalCount} done
      </span>
    </div>
  );
}
