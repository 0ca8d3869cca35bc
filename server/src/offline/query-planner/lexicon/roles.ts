import { type Relationship, type SemanticColumn, type SemanticModel, type SemanticTable, tokenize } from "#analytics";
import { type JoinStep, tablesByPath, toStep } from "../query/join-step.ts";
import type { Meaning } from "./meaning.ts";
import { columnLabel, tableLabel } from "./names.ts";

/**
 * The rows of a table by one of the references to it: the origin port of shipments, the manager of employees. Where two references lead to the
 * same table, or one to its own, only the name of the reference says which row is meant (CA-103).
 */
interface Role extends SemanticTable {
  /** What it is called: "origin port". */
  readonly role: string;
  /** The table that it stands for. */
  readonly plays: SemanticTable;
  readonly reference: Omit<JoinStep, "to">;
}

const withRoles = new WeakMap<SemanticModel, SemanticModel>();

/** The model with a table for each such reference; the tables themselves are reached by no reference that needs its name. */
export function distinguishRoles(model: SemanticModel): SemanticModel {
  let found = withRoles.get(model);
  if (!found) {
    found = distinguished(model);
    withRoles.set(model, found);
    withRoles.set(found, found);
  }
  return found;
}

/** The role that a table is; undefined of a table of the data. */
export function roleOf(table: SemanticTable): Role | undefined {
  return "role" in table ? (table as Role) : undefined;
}

/** The roles of a table. */
export function rolesOf(table: SemanticTable, { tables }: SemanticModel): readonly Role[] {
  return tables.flatMap((one) => {
    const role = roleOf(one);
    return role?.plays === table ? [role] : [];
  });
}

/** The tables of the data. */
export function storedTables({ tables }: Pick<SemanticModel, "tables">): readonly SemanticTable[] {
  return tables.filter((table) => !roleOf(table));
}

function distinguished(model: SemanticModel): SemanticModel {
  const byPath = tablesByPath(model.tables);
  const steps = model.relationships.flatMap((relationship) => {
    const step = toStep(relationship, byPath);
    return step ? [{ relationship, ...step }] : [];
  });
  const labels = new Set(model.tables.map((table) => stemsOf(tableLabel(table))));
  const taken: Relationship[] = [];
  const roles = steps.flatMap(({ relationship, from, to, columns, proposed }): readonly Role[] => {
    const beside = steps.filter((one) => one.from === from && one.to === to);
    const [pair, more] = columns;
    const role = pair === undefined || more !== undefined ? undefined : roleName(from, pair[0]);
    const isOnly = from !== to && beside.length === 1;
    // "port_id" beside "destination_port_id" is what "port" says.
    if (isOnly || role === undefined || labels.has(stemsOf(role))) return [];
    taken.push(relationship);
    // Columns of their own, because those of two roles are different ones.
    const own = to.columns.map((one) => ({ ...one }));
    return [{ ...to, columns: own, role, plays: to, reference: { from, columns, proposed } }];
  });
  if (roles.length === 0) return model;
  return {
    ...model,
    tables: [...model.tables, ...roles],
    relationships: model.relationships.filter((relationship) => !taken.includes(relationship)),
  };
}

function stemsOf(words: string): string {
  return tokenize(words)
    .map(({ stem }) => stem)
    .join(" ");
}

/** "origin port" for origin_port_id, "manager" for manager_id. */
function roleName(from: SemanticTable, reference: string): string | undefined {
  const column = from.columns.find(({ name }) => name === reference);
  return column && columnLabel(from, column).replace(/ (id|key|uuid|code|no|number|sk|fk)$/, "");
}

/** What a role is called beside its name: "origin" for the origin port, where that names nothing else. */
function qualifier({ role, plays }: Role): string | undefined {
  const own = stemsOf(tableLabel(plays)).split(" ").at(-1);
  const words = role.split(" ");
  return words.length > 1 && stemsOf(words.at(-1) ?? "") === own ? words.slice(0, -1).join(" ") : undefined;
}

/** Names of the roles and, behind these, of their columns: "origin port", "origin country", "manager salary". */
export function rolePhrases(
  model: SemanticModel,
  isNamed: (words: string) => boolean,
): readonly (readonly [words: string, meaning: Meaning])[] {
  return model.tables.flatMap((table) => {
    const role = roleOf(table);
    if (!role) return [];
    const meaning: Meaning = { kind: "table", table };
    const short = qualifier(role);
    const befores = [role.role, ...(short === undefined ? [] : [short])];
    const columns = role.columns.flatMap((column) =>
      befores.flatMap((before) =>
        namesOf(role, column).map((name) => [`${before} ${name}`, { kind: "column", table, column } as const] as const),
      ),
    );
    return [
      [role.role, meaning],
      ...(short !== undefined && !isNamed(short) ? [[short, meaning] as const] : []),
      ...columns.filter(([words]) => !isNamed(words)),
    ];
  });
}

/** "country", and "name" for the port name of ports. */
function namesOf({ plays }: Role, column: SemanticColumn): readonly string[] {
  const [label, owner] = [columnLabel(plays, column), stemsOf(tableLabel(plays))];
  const words = label.split(" ");
  const isOwn = words.length > 1 && stemsOf(words[0] ?? "") === owner;
  return [label, ...(isOwn ? [words.slice(1).join(" ")] : []), ...column.synonyms];
}

/** Values of a table as those of one of its roles: behind its name, or behind that of its column. */
export function valuesOfRole(meanings: readonly Meaning[], last: Meaning | undefined): readonly Meaning[] {
  const role = last && roleOf(last.table);
  if (!role) return meanings;
  const own = meanings.flatMap((one) =>
    one.kind === "value" && one.table === role.plays && (last.kind !== "column" || last.column.name === one.column.name)
      ? valueIn(role, one)
      : [],
  );
  return own.length > 0 ? own : meanings;
}

/** A value of a table as that of one of its roles. */
export function valueIn(role: SemanticTable, value: Extract<Meaning, { kind: "value" }>): readonly Meaning[] {
  const column = role.columns.find(({ name }) => name === value.column.name);
  return column ? [{ kind: "value", table: role, column, value: value.value }] : [];
}

/** Why a question does not say by which reference a table is meant; undefined where it needs none, or says it. */
export function roleLeftOpen(
  tables: readonly SemanticTable[],
  used: readonly SemanticTable[],
  model: SemanticModel,
): string | undefined {
  for (const table of tables) {
    const role = roleOf(table);
    if (role && !used.includes(role)) {
      const from = tableLabel(role.reference.from);
      return `I do not know what is asked of the ${role.role} of ${from}. Say “number of ${from} by ${role.role}”, or name one, as in “${role.role} ${exampleOf(role)}”.`;
    }
    const roles = rolesOf(table, model).filter(({ reference }) => reference.from !== table);
    const [first, second] = roles.filter(({ reference }) => tables.includes(reference.from));
    if (!first || !second) continue;
    const from = tableLabel(first.reference.from);
    const names = roles.filter(({ reference }) => reference.from === first.reference.from).map((one) => one.role);
    return `${from} have ${listed(names.map((name) => `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`))}, and “${tableLabel(table)}” does not say which. Name it, as in “number of ${from} by ${first.role}” or “${first.role} ${exampleOf(first)}”.`;
  }
  return undefined;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function exampleOf({ columns, schema }: Role): string {
  const named = columns.find(({ name, type }) => type === "STRING" && !schema.primaryKey?.includes(name));
  return named?.values?.[0] ?? named?.samples?.[0] ?? "…";
}
