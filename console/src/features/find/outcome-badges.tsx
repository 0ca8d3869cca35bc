import { Badge } from "../../components/badge.tsx";
import type { ConversationFacts } from "./conversation-facts.ts";

/** How a conversation went, in a word or two. */
export function OutcomeBadges({ facts }: { readonly facts: ConversationFacts | undefined }) {
  if (!facts) return <span className="muted">…</span>;
  const { errors, escalated, stopped } = facts;
  return (
    <span className="row wrap tight">
      {errors.length > 0 && (
        <span title={errors.slice(0, 5).join("\n")}>
          <Badge tone="bad">{errors.length === 1 ? "1 failure" : `${errors.length} failures`}</Badge>
        </span>
      )}
      {escalated && <Badge tone="warning">Handed over</Badge>}
      {stopped && <Badge tone="warning">Guardrail</Badge>}
      {errors.length === 0 && !escalated && !stopped && <Badge tone="good">Went through</Badge>}
    </span>
  );
}

/** Whether facts are what was asked for; unknown ones are not. */
export function hasOutcome(
  outcome: "any" | "failed" | "escalated" | "stopped",
  facts: ConversationFacts | undefined,
): boolean {
  if (outcome === "any") return true;
  if (!facts) return false;
  return { failed: facts.errors.length > 0, escalated: facts.escalated, stopped: facts.stopped }[outcome];
}
