import { Badge } from "../../components/badge.tsx";
import type { ResultState } from "./verdict.ts";

const LABELS: Readonly<Record<ResultState, string>> = {
  passed: "Passed",
  failed: "Failed",
  "not-measured": "Not measured",
  queued: "Queued",
  running: "Running",
  cancelled: "Cancelled",
};

const TONES = { passed: "success", failed: "error", "not-measured": "warning" } as const;

/** The state of a check, a result or a turn. */
export function VerdictBadge({ state }: { readonly state: ResultState }) {
  const tone = state in TONES ? TONES[state as keyof typeof TONES] : "neutral";
  return <Badge tone={tone}>{LABELS[state]}</Badge>;
}
