import { type EvaluationRun, EvaluationRun_EvaluationRunState as RunState } from "@frontdesk/protos/ces/evaluation";
import { Badge } from "../../components/badge.tsx";
import { fieldLabel } from "../message-form/field-labels.ts";

const TONES: Partial<Record<RunState, "success" | "error">> = {
  [RunState.COMPLETED]: "success",
  [RunState.ERROR]: "error",
};

/** Whether a run waits, runs or has ended; its results say how it went. */
export function RunStateBadge({ state }: Pick<EvaluationRun, "state">) {
  return <Badge tone={TONES[state] ?? "neutral"}>{fieldLabel(RunState[state] ?? "")}</Badge>;
}
