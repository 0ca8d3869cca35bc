import { createHash } from "node:crypto";
import { ANONYMOUS, type Caller, type Logger } from "#base";
import { failedPrecondition } from "#status";
import {
  type Restrictions,
  RuleFault,
  type SqlSource,
  type TablePath,
  type TableRestriction,
  withRestrictions,
} from "#warehouse";
import { bindCondition, type ConditionTemplate } from "./row-template.ts";

/** Who sees which rows and columns of a table. Where rules name a table itself, those of all tables of its dataset do not count. */
export interface AccessRule {
  /** The setting, for the log. */
  readonly name: string;
  /** Project, dataset, table; `*` as project: any, as table: all of the dataset. */
  readonly table: readonly [string, string, string];
  /** As in policies: `user:…`, `group:…`, `domain:…`, `allAuthenticatedUsers`. */
  readonly members: readonly string[];
  /** Default: all rows. */
  readonly rows?: ConditionTemplate;
  readonly hiddenColumns: readonly string[];
}

export interface AccessRules {
  /** Of the rules that name a table, the first one with the caller among its members decides. */
  readonly rules: readonly AccessRule[];
  /** All members that a caller is. */
  membersOf(caller: Caller): readonly string[];
}

/** The source as a caller sees it. */
type RuledSource = (source: SqlSource, caller: Caller | undefined) => SqlSource;

interface RuledSourceDeps {
  /** Warehouse.databaseOf. */
  readonly databaseOf: (path: TablePath) => string | undefined;
  readonly logger: Pick<Logger, "error">;
}

/** Applies rules to sources (CA-49). Without rules, and for the operator, everything is shown. */
export function createRuledSource(
  { rules, membersOf }: AccessRules,
  { databaseOf, logger }: RuledSourceDeps,
): RuledSource {
  return (source, caller = ANONYMOUS) => {
    if (rules.length === 0 || caller.kind === "operator") return source;
    const members = new Set(membersOf(caller));
    const own = new Map(
      rules
        .filter((rule) => rule.members.some((member) => members.has(member)))
        .map((rule) => [rule, restrictionOf(rule, caller)]),
    );
    const ruleOf = (path: TablePath): { readonly restriction: TableRestriction; readonly isNamed: boolean } => {
      const naming = rulesNaming(path, rules, databaseOf);
      if (naming.length === 0) return { restriction: { kind: "all" }, isNamed: false };
      const first = naming.find((rule) => own.has(rule));
      return { restriction: (first && own.get(first)) ?? { kind: "nothing" }, isNamed: naming.some(isOne) };
    };
    const restrictions: Restrictions = {
      viewer: viewerOf(own),
      of(path, reads) {
        const { restriction, isNamed } = ruleOf(path);
        const below = isNamed ? [] : reads.map((name) => ruleOf([...path.slice(0, -1), name]));
        const isOpening = below.some((one) => one.isNamed && one.restriction.kind !== "all");
        return isOpening ? { kind: "nothing" } : restriction;
      },
      faulty(path, error) {
        if (!(error instanceof RuleFault)) return error as Error;
        const table = path.join(".");
        logger.error({ err: error, table }, "A rule of analytics.rules does not fit its table, which nobody sees.");
        return failedPrecondition(`The access rules of ${table} cannot be applied. The log of the server says why.`, {
          reason: "ACCESS_RULES_FAULTY",
          metadata: { table },
        });
      },
    };
    return withRestrictions(source, restrictions);
  };
}

/** The rule that decides of each table, in their order: who has the same ones sees the same. */
function viewerOf(own: ReadonlyMap<AccessRule, TableRestriction>): string {
  const deciding = new Map<string, TableRestriction>();
  for (const [{ table }, restriction] of own) {
    const key = table.join(".");
    if (!deciding.has(key)) deciding.set(key, restriction);
  }
  return createHash("sha256")
    .update(JSON.stringify([...deciding]))
    .digest("base64url");
}

function restrictionOf({ rows, hiddenColumns }: AccessRule, caller: Caller): TableRestriction {
  if (!rows && hiddenColumns.length === 0) return { kind: "all" };
  return { kind: "part", hiddenColumns, ...(rows && { rows: bindCondition(rows, caller) }) };
}

function isOne({ table: [, , table] }: AccessRule): boolean {
  return table !== "*";
}

/**
 * The rules that name a table. One database may have a table under several names (`*` as the project, a schema in the name of the table, two mappings), so a rule
 * names every table of its database with its last name; a rule that has the whole name goes before those.
 */
function rulesNaming(
  path: TablePath,
  rules: readonly AccessRule[],
  databaseOf: RuledSourceDeps["databaseOf"],
): readonly AccessRule[] {
  const [project = "", dataset = "", ...rest] = path.map((part) => part.toLowerCase());
  const whole = rest.join(".");
  const table = whole.split(".").at(-1) ?? "";
  const named = rules.filter((rule) => rule.table[2] === "*" || rule.table[2].toLowerCase() === table);
  const exact = named.filter((rule) => {
    const [ruled, of] = rule.table.map((part) => part.toLowerCase());
    return (ruled === "*" || ruled === project) && of === dataset && (rule.table[2] === "*" || whole === table);
  });
  const database = databaseOf(path);
  const likely = named.filter((rule) => {
    const [ruled, of, last] = rule.table;
    const other = databaseOf([ruled === "*" ? (path[0] ?? "") : ruled, of, last]);
    return database === undefined || other === undefined || other === database;
  });
  const choices = [exact.filter(isOne), likely.filter(isOne), exact, likely];
  return choices.find((choice) => choice.length > 0) ?? [];
}
