import { useMemo } from "react";
import { type PlotSeries, TimePlot } from "../../charts/time-plot.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Table } from "../../components/table.tsx";
import type { ConversationFacts } from "./conversation-facts.ts";
import { quantile } from "./quantile.ts";
import { tallyAgents, tallyTools } from "./tally.ts";
import { type Step, timeSeries } from "./time-series.ts";

/** What conversations come to: the sums, how they went over time, and who did what. */
export function Numbers({ facts }: { readonly facts: readonly ConversationFacts[] }) {
  const series = useMemo(() => timeSeries(facts.flatMap(({ turns }) => turns)), [facts]);
  if (series.steps.length === 0) {
    return (
      <EmptyState title="Nothing to count yet">
        Numbers come from the traces of the conversations that the filter finds. Talk to the app, or ask for more.
      </EmptyState>
    );
  }
  return (
    <div className="stack wide">
      <Sums facts={facts} />
      <Plots steps={series.steps} stepMs={series.stepMs} />
      <Agents facts={facts} />
      <Tools facts={facts} />
    </div>
  );
}

function Sums({ facts }: { readonly facts: readonly ConversationFacts[] }) {
  const turns = facts.flatMap((conversation) => conversation.turns);
  const tools = turns.flatMap(({ work }) => work.filter(({ kind }) => kind === "tool"));
  const failed = tools.filter(({ error }) => error !== "").length;
  const durations = turns.map(({ took }) => took);
  const sums: readonly (readonly [label: string, value: string, note: string])[] = [
    ["Conversations", facts.length.toLocaleString(), `${turns.length.toLocaleString()} turns`],
    [
      "Typical turn",
      shortTime(quantile(durations, 0.5) ?? 0),
      `slow ones (p95) ${shortTime(quantile(durations, 0.95) ?? 0)}`,
    ],
    ["Tool failures", failed.toLocaleString(), `of ${tools.length.toLocaleString()} calls`],
    ["Handed to a person", count(facts, ({ escalated }) => escalated), `of ${facts.length.toLocaleString()}`],
    ["Tokens", facts.reduce((sum, { tokens }) => sum + tokens, 0).toLocaleString(), "in and out"],
  ];
  return (
    <dl className="sums">
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

function count(facts: readonly ConversationFacts[], test: (facts: ConversationFacts) => boolean): string {
  return facts.filter(test).length.toLocaleString();
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
          summary={`${summary} A step is ${stepName(stepMs)}.`}
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
      title: "Time of a turn",
      summary: `Half of the turns take no longer than p50, all but one in twenty no longer than p95, which reaches ${shortTime(slowest)}.`,
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
      title: "Trouble",
      summary: `${sum(({ toolFailures }) => toolFailures)} tool calls failed, ${sum(({ escalations }) => escalations)} turns were handed to a person.`,
      format: whole,
      series: [
        { label: "Tool failures", values: steps.map(({ toolFailures }) => toolFailures), colour: "--failed" },
        { label: "Handed over", values: steps.map(({ escalations }) => escalations), colour: "--callback" },
      ],
    },
    {
      title: "Tokens",
      summary: `${sum(({ inputTokens }) => inputTokens)} in, ${sum(({ outputTokens }) => outputTokens)} out.`,
      format: whole,
      series: [
        { label: "In", values: steps.map(({ inputTokens }) => inputTokens), colour: "--llm" },
        { label: "Out", values: steps.map(({ outputTokens }) => outputTokens), colour: "--guardrail" },
      ],
    },
  ];
}

function Agents({ facts }: { readonly facts: readonly ConversationFacts[] }) {
  const rows = useMemo(() => tallyAgents(facts), [facts]);
  return (
    <section className="stack tight">
      <h2>Agents</h2>
      <Table
        label="Agents"
        rows={rows}
        keyOf={({ agent }) => agent}
        columns={[
          { id: "agent", heading: "Agent", cell: ({ agent }) => agent },
          { id: "turns", heading: "Turns closed", number: true, cell: ({ turns }) => turns.toLocaleString() },
          { id: "calls", heading: "Model calls", number: true, cell: ({ modelCalls }) => modelCalls.toLocaleString() },
          { id: "errors", heading: "Errors", number: true, cell: ({ errors }) => errors.toLocaleString() },
          { id: "tokens", heading: "Tokens", number: true, cell: ({ tokens }) => tokens.toLocaleString() },
          { id: "p50", heading: "Turn p50", number: true, cell: ({ p50 }) => timeOrNone(p50) },
          { id: "p95", heading: "Turn p95", number: true, cell: ({ p95 }) => timeOrNone(p95) },
        ]}
      />
    </section>
  );
}

function Tools({ facts }: { readonly facts: readonly ConversationFacts[] }) {
  const rows = useMemo(() => tallyTools(facts), [facts]);
  if (rows.length === 0) return <p className="muted">No tool was called in these conversations.</p>;
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
          { id: "errors", heading: "Failed", number: true, cell: ({ errors }) => errors.toLocaleString() },
          { id: "p50", heading: "p50", number: true, cell: ({ p50 }) => timeOrNone(p50) },
          { id: "p95", heading: "p95", number: true, cell: ({ p95 }) => timeOrNone(p95) },
          {
            id: "last",
            heading: "Last failure",
            cell: ({ lastError }) => lastError && <code>{lastError.slice(0, 160)}</code>,
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
export function shortTime(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(milliseconds === 0 ? 0 : 1)} ms`;
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 60_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${(milliseconds / 60_000).toFixed(1)} min`;
}

/** Counts have no fractions; a tick between two whole numbers says nothing. */
function whole(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString() : "";
}

function stepName(stepMs: number): string {
  const minutes = stepMs / 60_000;
  if (minutes < 60) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  const hours = minutes / 60;
  if (hours < 24) return hours === 1 ? "an hour" : `${hours} hours`;
  return hours === 24 ? "a day" : `${hours / 24} days`;
}
