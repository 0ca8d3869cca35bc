import type { Notes } from "../../files/notes.ts";
import type { Dataset, ModelRelationship } from "../../model/model.ts";
import { type LookmlNode, parameter, textOf } from "./parse-lookml.ts";

/** What explores say: how views join, under which names, and which views they restrict. */
interface ReadExplores {
  readonly relationships: readonly ModelRelationship[];
  /** Views under another name: `join: buyers { from: users }`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Views whose rows an explore restricts, and by what. */
  readonly restricted: ReadonlyMap<string, LookmlNode>;
}

const EXPLORE_KEYS = new Set([
  "join",
  "label",
  "description",
  "from",
  "view_name",
  "view_label",
  "group_label",
  "hidden",
  "fields",
  "sql_always_where",
  "access_filter",
  "always_filter",
  "conditionally_filter",
  "sql_always_having",
  "extends",
  "required_access_grants",
]);
const JOIN_KEYS = new Set([
  "type",
  "relationship",
  "sql_on",
  "foreign_key",
  "from",
  "view_label",
  "fields",
  "required_joins",
]);
/** Conditions that each query of an explore has; without them other rows would be counted. */
const RESTRICTIONS = ["sql_always_where", "access_filter", "sql_always_having", "required_access_grants"];

/** The joins and aliases of all explores, and which of them restrict their rows. What is not carried is noted. */
export function readExplores(
  files: readonly LookmlNode[],
  datasetsOf: (view: string) => Dataset | undefined,
  notes: Notes,
): ReadExplores {
  const aliases = new Map<string, string>();
  const restricted = new Map<string, LookmlNode>();
  const relationships: ModelRelationship[] = [];
  for (const explore of files.filter(({ key }) => key === "explore")) {
    for (const child of explore.children)
      if (!EXPLORE_KEYS.has(child.key)) notes.add(child, `explore ${explore.name}: ${child.key} is not carried`);
    for (const key of ["always_filter", "conditionally_filter", "extends"]) {
      const found = parameter(explore, key);
      if (found) notes.add(found, `explore ${explore.name}: ${key} is not carried`);
    }
    const base = textOf(explore, "view_name") ?? textOf(explore, "from") ?? explore.name;
    const restriction = RESTRICTIONS.map((key) => parameter(explore, key)).find((found) => found !== undefined);
    if (restriction) restricted.set(base, restriction);
    const from = textOf(explore, "from");
    const root = from && from !== explore.name ? explore.name : base;
    if (from && from !== explore.name) aliases.set(explore.name, from);
    for (const join of explore.children.filter(({ key }) => key === "join")) {
      const view = textOf(join, "from");
      if (view && view !== join.name) aliases.set(join.name, view);
      const viewOf = (name: string) => datasetsOf(aliases.get(name) ?? name);
      const relationship = readJoin(join, root, viewOf, notes);
      if (relationship && !relationships.some((one) => isSame(one, relationship))) relationships.push(relationship);
    }
  }
  return { relationships, aliases, restricted };
}

function isSame(one: ModelRelationship, other: ModelRelationship): boolean {
  return (
    one.from === other.from && one.to === other.to && JSON.stringify(one.columns) === JSON.stringify(other.columns)
  );
}

function readJoin(
  join: LookmlNode,
  root: string,
  viewOf: (name: string) => Dataset | undefined,
  notes: Notes,
): ModelRelationship | undefined {
  const what = `join ${root}.${join.name}`;
  for (const child of join.children)
    if (!JOIN_KEYS.has(child.key)) notes.add(child, `${what}: ${child.key} is not carried`);
  const leaveOut = (why: string) => void notes.add(join, `${what} is left out: ${why}`);
  const type = textOf(join, "type") ?? "left_outer";
  if (type !== "left_outer") return leaveOut(`type ${type} is not carried`);
  const relationship = textOf(join, "relationship") ?? "many_to_one";
  if (relationship === "many_to_many") return leaveOut("many_to_many repeats rows");
  const foreignKey = textOf(join, "foreign_key");
  const sides = foreignKey
    ? foreignSides(foreignKey, root, join.name, viewOf)
    : equalSides(textOf(join, "sql_on") ?? "", join.name);
  const [other] = new Set(sides?.map(([side]) => side.view));
  if (!sides || other === undefined || sides.some(([side]) => side.view !== other))
    return leaveOut("its sql_on is not an equality of fields of two views");
  const columns = sides.map(([one, two]) => [columnOf(one, viewOf), columnOf(two, viewOf)] as const);
  if (!viewOf(other) || !viewOf(join.name) || columns.flat().some((column) => column === ""))
    return leaveOut("a view or field of it is missing");
  const own = { name: `${other}_${join.name}`, from: other, to: join.name, columns };
  if (relationship !== "one_to_many")
    return { ...own, cardinality: relationship === "one_to_one" ? "one_to_one" : "many_to_one" };
  return {
    name: `${join.name}_${other}`,
    from: join.name,
    to: other,
    columns: columns.map(([one, two]) => [two, one] as const),
    cardinality: "many_to_one",
  };
}

interface Side {
  readonly view: string;
  readonly field: string;
}

/** `${orders.user_id} = ${users.id} AND …`: the other view's field first, then the joined view's. */
function equalSides(sql: string, joined: string): readonly (readonly [Side, Side])[] | undefined {
  const sides = sql.split(/\bAND\b/i).map((condition) => {
    const [, view = "", field = "", otherView = "", otherField = ""] =
      /^\s*(?:\(\s*)?\$\{(\w+)\.(\w+)\}\s*=\s*\$\{(\w+)\.(\w+)\}\s*(?:\)\s*)?$/.exec(condition) ?? [];
    const pair = [
      { view, field },
      { view: otherView, field: otherField },
    ] as const;
    if (otherView === joined && view !== joined) return pair;
    return view === joined && otherView !== "" ? ([pair[1], pair[0]] as const) : undefined;
  });
  return sides.every((side) => side !== undefined) ? sides : undefined;
}

/** `foreign_key: user_id` joins the primary key. */
function foreignSides(
  written: string,
  root: string,
  joined: string,
  viewOf: (name: string) => Dataset | undefined,
): readonly (readonly [Side, Side])[] | undefined {
  const [view, field] = written.includes(".") ? written.split(".", 2) : [root, written];
  const [[key] = []] = viewOf(joined)?.keys ?? [];
  const name = viewOf(joined)?.dimensions.find(({ name: own, expr = own }) => expr === key)?.name;
  return name === undefined
    ? undefined
    : [
        [
          { view: view ?? root, field: field ?? "" },
          { view: joined, field: name },
        ],
      ];
}

function columnOf({ view, field }: Side, viewOf: (name: string) => Dataset | undefined): string {
  const dimension = viewOf(view)?.dimensions.find(({ name }) => name === field);
  if (!dimension) return "";
  return /^\w+$/.test(dimension.expr ?? field) ? (dimension.expr ?? field) : `\${${field}}`;
}
