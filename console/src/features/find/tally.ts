import type { ConversationFacts, WorkFact } from "./conversation-facts.ts";
import { quantile } from "./quantile.ts";

/** What one agent did. Times in milliseconds. */
export interface AgentTally {
  readonly agent: string;
  readonly turns: number;
  readonly modelCalls: number;
  readonly errors: number;
  readonly tokens: number;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
}

/** What one tool did. Times in milliseconds. */
export interface ToolTally {
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  /** The last thing that went wrong; "" when nothing did. */
  readonly lastError: string;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
}

/** Per agent: turns it closed, calls of models, errors of whatever it did, tokens, and how long its turns took. Most turns first. */
export function tallyAgents(facts: readonly ConversationFacts[]): readonly AgentTally[] {
  const turns = facts.flatMap((conversation) => conversation.turns);
  const work = turns.flatMap((turn) => turn.work);
  const names = new Set([...turns.map(({ agent }) => agent), ...work.map(({ agent }) => agent)]);
  return [...names]
    .filter((agent) => agent !== "")
    .map((agent) => {
      const own = turns.filter((turn) => turn.agent === agent);
      const done = work.filter((fact) => fact.agent === agent);
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
export function tallyTools(facts: readonly ConversationFacts[]): readonly ToolTally[] {
  const calls = facts.flatMap(({ turns }) => turns.flatMap(({ work }) => work.filter(({ kind }) => kind === "tool")));
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

function errorsOf(work: readonly WorkFact[]): readonly WorkFact[] {
  return work.filter(({ error }) => error !== "");
}

function spread(values: readonly number[]) {
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95) };
}
