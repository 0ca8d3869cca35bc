import { doesNotLoad } from "../../api/does-not-load.ts";
import { Badge } from "../../components/badge.tsx";

interface GuardrailStatusProps {
  readonly enabled: boolean;
  /** As `guardrailScope` returns it; undefined until it was read. */
  readonly scope: string | undefined;
  /** What the validation of the app says about it. */
  readonly sentences: readonly string[];
}

/** Whether a guardrail runs, and if not, why. */
export function GuardrailStatus({ enabled, scope, sentences }: GuardrailStatusProps) {
  if (sentences.some(doesNotLoad)) return <Badge tone="error">Does not load</Badge>;
  if (!enabled) return <Badge>Disabled</Badge>;
  if (scope === undefined) return <Badge>…</Badge>;
  return scope === "" ? <Badge tone="warning">Not in use</Badge> : <Badge tone="success">Enabled</Badge>;
}
