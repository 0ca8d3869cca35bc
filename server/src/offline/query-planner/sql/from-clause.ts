import type { SemanticModel, SemanticTable } from "#analytics";
import { tableLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { JoinStep } from "../query/join-step.ts";
import { toSnakeCase } from "../query/labels.ts";

/** The FROM clause: the base table and its joins. */
export interface FromClause {
  /** A table's alias; the first use joins the table. Undefined where no join path exists. */
  alias(table: SemanticTable): string | undefined;
  /** Tables with several shortest join paths. */
  readonly ambiguous: ReadonlySet<SemanticTable>;
  /** Joins that nobody declared. */
  readonly proposed: readonly JoinStep[];
  text(): string;
  /** The base table and the joined tables. */
  tables(): ReadonlySet<SemanticTable>;
}

/** A FROM clause of the base table. `mentioned`: labels of the tables that join paths prefer. */
export function fromClause(base: SemanticTable, model: SemanticModel, mentioned: ReadonlySet<string>): FromClause {
  const { quoteTable, quoteName } = model.source;
  const aliases = new Map([[base, aliasOf(base)]]);
  const joins: string[] = [];
  const ambiguous = new Set<SemanticTable>();
  const proposed: JoinStep[] = [];

  function join(step: JoinStep): void {
    if (aliases.has(step.to)) return;
    const [from, to] = [aliases.get(step.from) ?? "", aliasOf(step.to)];
    aliases.set(step.to, to);
    if (step.proposed) proposed.push(step);
    const on = step.columns.map(
      ([mine, theirs]) => `${quoteName(from)}.${quoteName(mine)} = ${quoteName(to)}.${quoteName(theirs)}`,
    );
    const certain = step.columns.every(([mine]) => isRequired(step.from, mine));
    joins.push(
      `${certain ? "JOIN" : "LEFT JOIN"} ${quoteTable(step.to.schema.path)} AS ${quoteName(to)} ON ${on.join(" AND ")}`,
    );
  }

  return {
    ambiguous,
    proposed,
    alias(table) {
      if (!aliases.has(table)) {
        const path = joinsOf(model).path(base, table, mentioned);
        if (!path) return undefined;
        if (path.ways > 1) ambiguous.add(table);
        path.steps.forEach(join);
      }
      return aliases.get(table);
    },
    tables: () => new Set(aliases.keys()),
    text: () => [`FROM ${quoteTable(base.schema.path)} AS ${quoteName(aliasOf(base))}`, ...joins].join("\n"),
  };
}

function aliasOf(table: SemanticTable): string {
  return toSnakeCase(tableLabel(table)) || "t";
}

function isRequired({ schema }: SemanticTable, column: string): boolean {
  return schema.columns.find(({ name }) => name === column)?.mode === "REQUIRED";
}
