import type { SemanticModel, SemanticTable } from "#analytics";
import { tableLabel } from "../lexicon/names.ts";
import { type JoinStep, joinsOf } from "../query/join-graph.ts";
import { toSnakeCase } from "../query/labels.ts";

/** The base table and what is joined to it. */
export interface FromClause {
  /** A table's alias; joins it when it is first asked for. Undefined where no join leads. */
  alias(table: SemanticTable): string | undefined;
  /** Tables for which several ways of joining were as good. */
  readonly ambiguous: ReadonlySet<SemanticTable>;
  text(): string;
  /** The base table and those that are joined so far. */
  tables(): ReadonlySet<SemanticTable>;
}

/** Begins with the base table. `mentioned`: spoken names of tables through which joins should go. */
export function fromClause(base: SemanticTable, model: SemanticModel, mentioned: ReadonlySet<string>): FromClause {
  const { quoteTable, quoteName } = model.source;
  const aliases = new Map([[base, aliasOf(base)]]);
  const joins: string[] = [];
  const ambiguous = new Set<SemanticTable>();

  function join(step: JoinStep): void {
    if (aliases.has(step.to)) return;
    const [from, to] = [aliases.get(step.from) ?? "", aliasOf(step.to)];
    aliases.set(step.to, to);
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
