import { useMemo } from "react";
import { type PlotSeries, TimePlot } from "../../charts/time-plot.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Table } from "../../components/table.tsx";
import { truncate } from "../../components/truncate.ts";
import { agentBreakdown, toolBreakdown } from "./breakdowns.ts";
import type { ConversationMetrics } from "./conversation-metrics.ts";
import { quantile } from "./quantile.ts";
import { type Step, timeSeries } from "./time-series.ts";

interface MetricsViewProps {
  readonly metrics: readonly ConversationMetrics[];
  /** Whether turns of more conversations are still read. */
  readonly isPending: boolean;
}

/** What conversations come to: the sums, how they went over time, and who did what. */
export function MetricsView({ metrics, isPending }: MetricsViewProps) {
  const series = useMemo(() => timeSeries(metrics.flatMap(({ turns }) => turns)), [metrics]);
  if (series.steps.length === 0 && isPending) return <Loading>Loading traces…</Loading>;
  if (series.steps.length === 0) {
    return (
      <EmptyState title="No metrics yet">
        Metrics are computed from the traces of the matching conversations. Start a conversation or change the filter.
      </EmptyState>
    );
  }
  return (
    <div className="stack wide">
      <Summary metrics={metrics} />
      <Plots steps={series.steps} stepMs={series.stepMs} />
      <Agents metrics={metrics} />
      <Tools metrics={metrics} />
    </div>
  );
}

function Summary({ metrics }: { readonly metrics: readonly ConversationMetrics[] }) {
  const turns = metrics.flatMap((conversation) => conversation.turns);
  const tools = turns.flatMap(({ spans }) => spans.filter(({ kind }) => kind === "tool"));
  const failed = tools.filter(({ error }) => error !== "").length;
  const durations = turns.map(({ took }) => took);
  const sums: readonly (readonly [label: string, value: string, note: string])[] = [
    ["Conversations", metrics.length.toLocaleString(), `${turns.length.toLocaleString()} turns`],
    ["Median latency", shortTime(quantile(durations, 0.5) ?? 0), `p95 ${shortTime(quantile(durations, 0.95) ?? 0)}`],
    ["Failed tool calls", failed.toLocaleString(), `of ${tools.length.toLocaleString()} calls`],
    ["Escalated", count(metrics, ({ escalated }) => escalated), `of ${metrics.length.toLocaleString()}`],
    ["Tokens", metrics.reduce((sum, { tokens }) => sum + tokens, 0).toLocaleString(), "input and output"],
  ];
  return (
    <dl className="metric-cards">
      {sums.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{value}</b> <span className="muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function count(metrics: readonly ConversationMetrics[], test: (metrics: ConversationMetrics) => boolean): string {
  return metrics.filter(test).length.toLocaleString();
}

function Plots({ steps, stepMs }: { readonly steps: readonly Step[]; readonly stepMs: number }) {
  const times = useMemo(() => steps.map(({ at }) => at), [steps]);
  const plots = useMemo(() => plotsOf(steps), [steps]);
  return (
    <section aria-label="Over time" className="plots">
      {plots.map(({ title, summary, series, format }) => (
        <TimePlot
          key={title}
          title={title}
          summary={`${summary} Interval: ${stepName(stepMs)}.`}
          times={times}
          series={series}
          format={format}
        />
      ))}
    </section>
  );
}

interface PlotPlan {
  readonly title: string;
  readonly summary: string;
  readonly series: readonly PlotSeries[];
  readonly format: (value: number) => string;
}

function plotsOf(steps: readonly Step[]): readonly PlotPlan[] {
  const slowest = Math.max(...steps.map(({ p95 }) => p95 ?? 0));
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + of(step), 0).toLocaleString();
  return [
    {
      title: "Turn latency",
      summary: `Median (p50) and 95th percentile (p95) of the turn duration. The highest p95 is ${shortTime(slowest)}.`,
      format: shortTime,
      series: [
        { label: "p50", values: steps.map(({ p50 }) => p50), colour: "--accent" },
        { label: "p95", values: steps.map(({ p95 }) => p95), colour: "--tool" },
      ],
    },
    {
      title: "Turns",
      summary: `${sum(({ turns }) => turns)} turns.`,
      format: whole,
      series: [{ label: "Turns", values: steps.map(({ turns }) => turns || null), colour: "--llm", bars: true }],
    },
    {
      title: "Failures",
      summary: `${sum(({ toolFailures }) => toolFailures)} failed tool calls, ${sum(({ escalations }) => escalations)} escalated turns.`,
      format: whole,
      series: [
        { label: "Failed tool calls", values: steps.map(({ toolFailures }) => toolFailures), colour: "--failed" },
        { label: "Escalated", values: steps.map(({ escalations }) => escalations), colour: "--callback" },
      ],
    },
    {
      title: "Tokens",
      summary: `${sum(({ inputTokens }) => inputTokens)} input, ${sum(({ outputTokens }) => outputTokens)} output.`,
      format: whole,
      series: [
        { label: "Input", values: steps.map(({ inputTokens }) => inputTokens), colour: "--llm" },
        { label: "Output", values: steps.map(({ outputTokens }) => outputTokens), colour: "--guardrail" },
      ],
    },
  ];
}

function Agents({ metrics }: { readonly metrics: readonly ConversationMetrics[] }) {
  const rows = useMemo(() => agentBreakdown(metrics), [metrics]);
  return (
    <section className="stack tight">
      <h2>Agents</h2>
      <Table
        label="Agents"
        rows={rows}
        keyOf={({ agent }) => agent}
        columns={[
          { id: "agent", heading: "Agent", cell: ({ agent }) => agent },
          { id: "turns", heading: "Turns", number: true, cell: ({ turns }) => turns.toLocaleString() },
          { id: "calls", heading: "Model calls", number: true, cell: ({ modelCalls }) => modelCalls.toLocaleString() },
          { id: "errors", heading: "Errors", number: true, cell: ({ errors }) => errors.toLocaleString() },
          { id: "tokens", heading: "Tokens", number: true, cell: ({ tokens }) => tokens.toLocaleString() },
          { id: "p50", heading: "Latency p50", number: true, cell: ({ p50 }) => timeOrNone(p50) },
          { id: "p95", heading: "Latency p95", number: true, cell: ({ p95 }) => timeOrNone(p95) },
        ]}
      />
    </section>
  );
}

function Tools({ metrics }: { readonly metrics: readonly ConversationMetrics[] }) {
  const rows = useMemo(() => toolBreakdown(metrics), [metrics]);
  if (rows.length === 0) return <p className="muted">No tool calls in these conversations.</p>;
  return (
    <section className="stack tight">
      <h2>Tools</h2>
      <Table
        label="Tools"
        rows={rows}
        keyOf={({ tool }) => tool}
        columns={[
          { id: "tool", heading: "Tool", cell: ({ tool }) => <code>{tool}</code> },
          { id: "calls", heading: "Calls", number: true, cell: ({ calls }) => calls.toLocaleString() },
          { id: "errors", heading: "Failures", number: true, cell: ({ errors }) => errors.toLocaleString() },
          { id: "p50", heading: "p50", number: true, cell: ({ p50 }) => timeOrNone(p50) },
          { id: "p95", heading: "p95", number: true, cell: ({ p95 }) => timeOrNone(p95) },
          {
            id: "last",
            heading: "Last failure",
            cell: ({ lastError }) => lastError && <code>{truncate(lastError, 160)}</code>,
          },
        ]}
      />
    </section>
  );
}

function timeOrNone(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "" : shortTime(milliseconds);
}

/** Milliseconds as a person reads them. */
function shortTime(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(milliseconds === 0 ? 0 : 1)} ms`;
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 60_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${(milliseconds / 60_000).toFixed(1)} min`;
}

/** Counts are whole numbers; ticks between them get no label. */
function whole(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString() : "";
}

function stepName(stepMs: number): string {
  const minutes = stepMs / 60_000;
  if (minutes < 60) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = minutes / 60;
  if (hours < 24) return hours === 1 ? "1 hour" : `${hours} hours`;
  return hours === 24 ? "1 day" : `${hours / 24} days`;
}
