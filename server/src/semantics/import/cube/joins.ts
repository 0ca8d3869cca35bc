import { type Located, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type { Dataset, ModelRelationship } from "../../model/model.ts";
import { type Member, replaceMembers } from "./members.ts";

const CARDINALITY: Readonly<Record<string, "many_to_one" | "one_to_many" | "one_to_one">> = {
  ...{ many_to_one: "many_to_one", belongsTo: "many_to_one", belongs_to: "many_to_one" },
  ...{ one_to_many: "one_to_many", hasMany: "one_to_many", has_many: "one_to_many" },
  ...{ one_to_one: "one_to_one", hasOne: "one_to_one", has_one: "one_to_one" },
};

/** Joins by equal columns; one to many is many to one from the other side. */
export function readJoins(cube: Located, datasets: readonly Dataset[], notes: Notes): readonly ModelRelationship[] {
  const own = textAt(cube, "name") ?? "";
  return (cube.get("joins")?.items() ?? []).flatMap((join): readonly ModelRelationship[] => {
    const other = textAt(join, "name") ?? "";
    const what = `join ${own}.${other}`;
    notes.unread(join, ["name", "relationship", "sql"], what);
    const type = CARDINALITY[textAt(join, "relationship") ?? ""];
    const columns =
      type && datasets.some(({ name }) => name === other)
        ? readColumns(textAt(join, "sql") ?? "", own, other, datasets)
        : undefined;
    if (!type || !columns) {
      notes.add(
        join,
        `${what} is left out: ${type ? "its sql is not an equality of columns of both cubes" : `relationship ${textAt(join, "relationship")} is not carried`}`,
      );
      return [];
    }
    const swapped = columns.map(([one, two]) => [two, one] as const);
    return type === "one_to_many"
      ? [{ name: `${other}_${own}`, from: other, to: own, columns: swapped, cardinality: "many_to_one" }]
      : [{ name: `${own}_${other}`, from: own, to: other, columns, cardinality: type }];
  });
}

/** `{CUBE}.user_id = {users.id} AND …` as pairs of an own column and one of the other cube. */
function readColumns(sql: string, own: string, other: string, datasets: readonly Dataset[]) {
  const pairs = sql.split(/\bAND\b/i).map((condition) => {
    const members: Member[] = [];
    const rest = replaceMembers(condition, own, (member) => {
      members.push(member);
      return "";
    });
    const [left, right] = members;
    if (rest?.replace(/[\s()]/g, "") !== "=" || members.length !== 2 || !left || !right) return undefined;
    const [mine, theirs] = left.cube === undefined ? [left, right] : [right, left];
    if (mine.cube !== undefined || theirs.cube !== other) return undefined;
    return [columnOf(mine, own, datasets), columnOf(theirs, other, datasets)] as const;
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

function columnOf({ column, member = "" }: Member, cube: string, datasets: readonly Dataset[]): string {
  if (column !== undefined) return column;
  const dimension = datasets.find(({ name }) => name === cube)?.dimensions.find(({ name }) => name === member);
  const expr = dimension?.expr ?? member;
  return /^\w+$/.test(expr) ? expr : `\${${member}}`;
}
