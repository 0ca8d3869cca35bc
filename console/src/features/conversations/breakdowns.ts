import type { ConversationMetrics, SpanMetrics } from "./conversation-metrics.ts";
import { quantile } from "./quantile.ts";

/** What one agent did. Times in milliseconds. */
interface AgentBreakdown {
  readonly agent: string;
  readonly turns: number;
  readonly modelCalls: number;
  readonly errors: number;
  readonly tokens: number;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
}

/** What one tool did. Times in milliseconds. */
interface ToolBreakdown {
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  /** The last thing that went wrong; "" when nothing did. */
  readonly lastError: string;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
}

/** Per agent: turns it closed, calls of models, errors of whatever it did, tokens, and how long its turns took. Most turns first. */
export function agentBreakdown(metrics: readonly ConversationMetrics[]): readonly AgentBreakdown[] {
  const turns = metrics.flatMap((conversation) => conversation.turns);
  const spans = turns.flatMap((turn) => turn.spans);
  const names = new Set([...turns.map(({ agent }) => agent), ...spans.map(({ agent }) => agent)]);
  return [...names]
    .filter((agent) => agent !== "")
    .map((agent) => {
      const own = turns.filter((turn) => turn.agent === agent);
      const done = spans.filter((metric) => metric.agent === agent);
      return {
        agent,
        turns: own.length,
        modelCalls: done.filter(({ kind }) => kind === "llm").length,
        errors: errorsOf(done).length,
        tokens: done.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
        ...spread(own.map(({ took }) => took)),
      };
    })
    .toSorted((left, right) => right.turns - left.turns || left.agent.localeCompare(right.agent));
}

/** Per tool: calls, errors and how long it took. Most calls first. */
export function toolBreakdown(metrics: readonly ConversationMetrics[]): readonly ToolBreakdown[] {
  const calls = metrics.flatMap(({ turns }) =>
    turns.flatMap(({ spans }) => spans.filter(({ kind }) => kind === "tool")),
  );
  return [...Map.groupBy(calls, ({ name }) => name)]
    .map(([tool, own]) => ({
      tool,
      calls: own.length,
      errors: errorsOf(own).length,
      lastError: errorsOf(own).at(-1)?.error ?? "",
      ...spread(own.map(({ took }) => took)),
    }))
    .toSorted((left, right) => right.calls - left.calls || left.tool.localeCompare(right.tool));
}

function errorsOf(spans: readonly SpanMetrics[]): readonly SpanMetrics[] {
  return spans.filter(({ error }) => error !== "");
}

function spread(values: readonly number[]) {
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95) };
}
