import { RunEvaluationResultMetricsResponseSchema } from "@frontdesk/protos/ces/evaluation_service";
import { useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { evaluationService } from "../../api/evaluation-service.ts";
import { waitForOperation } from "../../api/operations.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";

/** Scores a kept result by the thresholds and the judge of now, without running the app again. */
export function ScoreAgain({ result }: { readonly result: string }) {
  const queries = useQueryClient();
  const [scoring, setScoring] = useState(false);
  const [error, setError] = useState<StatusError>();
  const score = async () => {
    setScoring(true);
    setError(undefined);
    try {
      const operation = await evaluationService.runEvaluationResultMetrics({ evaluationResultId: result });
      await waitForOperation(operation, RunEvaluationResultMetricsResponseSchema);
      await queries.invalidateQueries({ queryKey: ["evaluation-result", result] });
    } catch (error) {
      setError(toStatusError(error));
    }
    setScoring(false);
  };
  return (
    <>
      {error && <Banner tone="error" error={error} />}
      <Button onPress={() => void score()} isDisabled={scoring}>
        <RotateCw size={16} aria-hidden="true" /> {scoring ? "Scoring…" : "Score again"}
      </Button>
    </>
  );
}
