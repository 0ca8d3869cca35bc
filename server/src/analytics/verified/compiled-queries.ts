import type { SemanticModel } from "../contract.ts";
import type { Planner, PlanRequest } from "../plan/planner.ts";

/** What questions compile to, by the model: the same for each turn. "" for what the rules do not understand in full. */
const compiled = new WeakMap<SemanticModel, Map<string, Promise<string>>>();
const MAX_KEPT = 500;

/** Whether the rules make the same statement of two questions, and understand each word of both. The first may follow others, `other` stands alone. */
export async function isSameQuery(rules: Planner, request: PlanRequest, other: string): Promise<boolean> {
  const own = await compile(rules, request);
  return own !== "" && own === (await compile(rules, { ...request, question: other, past: [] }));
}

function compile(rules: Planner, request: PlanRequest): Promise<string> {
  const { model, question, past, now } = request;
  const kept = compiled.get(model) ?? new Map<string, Promise<string>>();
  compiled.set(model, kept);
  if (kept.size > MAX_KEPT) kept.clear();
  const earlier = past.map((turn) => turn.question);
  const key = JSON.stringify([question, earlier, now.toISOString().slice(0, 10)]);
  const statement = kept.get(key) ?? statementOf(rules, request);
  kept.set(key, statement);
  return statement;
}

async function statementOf(rules: Planner, request: PlanRequest): Promise<string> {
  const plan = await rules.plan({ ...request, analysisAllowed: false }, []);
  return plan.kind === "query" && plan.doubts?.length === 0 ? plan.sql : "";
}
