import type { QueryParameter } from "#warehouse";
import type { Plan } from "../plan/planner.ts";
import { filledQuery } from "../verified/model-queries.ts";
import { parametersOf } from "../verified/statement.ts";
import type { Turn } from "./turn.ts";

type QueryPlan = Extract<Plan, { kind: "query" }>;

/** The plan of the verified query that matches the question: its statement, or what the semantic model compiles of its query now (CA-39). */
export function verifiedPlan({ match, model, plan: { defined } }: Turn): QueryPlan {
  const plan = {
    ...{ kind: "query" as const, name: "verified_query", chart: {} },
    reasoning: `The question matches a verified query over ${model.tables.length} table(s).`,
  };
  const query = match && filledQuery(match);
  if (query && defined) return { ...plan, sql: defined.compile(query).sql, origin: { kind: "verified", query } };
  return { ...plan, sql: match?.query.sql ?? "", origin: { kind: "verified" } };
}

/** Values of the parameters of a verified statement; a query of the semantic model has them in itself. */
export function verifiedParameters({ match }: Turn, { origin }: QueryPlan): readonly QueryParameter[] {
  return origin?.kind === "verified" && !origin.query ? (match?.values ?? []) : [];
}

/** Parameters of the matched query that the question gives no value. */
export function openParameters({ match }: Turn): readonly string[] {
  const given = new Set(match?.values.map(({ name }) => name));
  return parametersOf(match?.query.sql ?? "").filter((name) => !given.has(name));
}

/** Asks for the values of parameters. */
export function askFor(names: readonly string[]): string {
  const words = names.map((name) => name.replaceAll("_", " ")).join(" and ");
  return `There is a verified query for this question, and it needs ${words}. Which ${words} do you mean?`;
}

/** Says that the verified query failed. */
export function notRun({ match }: Turn, error: string): string {
  return `The verified query for “${match?.query.question}” could not be run and was not used: ${error}`;
}
