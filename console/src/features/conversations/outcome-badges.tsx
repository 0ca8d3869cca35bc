import { Badge } from "../../components/badge.tsx";
import type { ConversationMetrics } from "./conversation-metrics.ts";

/** How a conversation went, in a word or two. */
export function OutcomeBadges({ metrics }: { readonly metrics: ConversationMetrics | undefined }) {
  if (!metrics) return <span className="muted">…</span>;
  const { errors, escalated, stopped } = metrics;
  return (
    <span className="row wrap tight">
      {errors.length > 0 && (
        <span title={errors.slice(0, 5).join("\n")}>
          <Badge tone="error">{errors.length === 1 ? "1 failure" : `${errors.length} failures`}</Badge>
        </span>
      )}
      {escalated && <Badge tone="warning">Escalated</Badge>}
      {stopped && <Badge tone="warning">Guardrail</Badge>}
      {errors.length === 0 && !escalated && !stopped && <Badge tone="success">No issues</Badge>}
    </span>
  );
}
