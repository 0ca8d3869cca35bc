import { nonEmptyFields } from "#base";
import { asText, isTrue, type Located, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type { Dimension, DimensionType } from "../../model/model.ts";
import { cubeDescribed, rowExpression } from "./members.ts";

const KEYS = [
  "name",
  "sql",
  "type",
  "title",
  "description",
  "primary_key",
  "public",
  "shown",
  "case",
  "sub_query",
  "format",
  "granularities",
  "meta",
];
const TYPES: Readonly<Record<string, DimensionType>> = {
  string: "text",
  number: "number",
  time: "timestamp",
  boolean: "boolean",
};

/** The dimensions of a cube, and the columns of its primary key. */
export function readDimensions(cube: Located, notes: Notes) {
  const keys: string[] = [];
  const dimensions = (cube.get("dimensions")?.items() ?? []).flatMap((node): readonly Dimension[] => {
    const name = textAt(node, "name") ?? "";
    const what = `dimension ${textAt(cube, "name")}.${name}`;
    notes.unread(
      node,
      KEYS.filter((key) => key !== "granularities" && key !== "meta"),
      what,
    );
    const type = TYPES[textAt(node, "type") ?? "string"];
    const sql = textAt(node, "sql") ?? (node.get("case") ? caseExpression(node) : name);
    const expr = sql === undefined ? undefined : rowExpression(sql, cube);
    if (!type || expr === undefined || isTrue(node, "sub_query")) {
      notes.add(
        node,
        `${what} is left out: ${type ? "its sql is not over columns of its own cube" : `type ${textAt(node, "type")} is not carried`}`,
      );
      return [];
    }
    const hidden = node.get("public")?.value === false || node.get("shown")?.value === false;
    if (isTrue(node, "primary_key")) keys.push(/^\w+$/.test(expr) ? expr : `\${${name}}`);
    return [{ name, ...cubeDescribed(node), ...(expr !== name && { expr }), type, ...nonEmptyFields({ hidden }) }];
  });
  return { dimensions, keys };
}

/** `case: {when: [{sql, label}], else: {label}}` as SQL. */
function caseExpression(node: Located): string | undefined {
  const written = node.get("case");
  const text = (label: string | undefined) => (label === undefined ? undefined : `'${label.replaceAll("'", "''")}'`);
  const whens = (written?.get("when")?.items() ?? []).map((when) => {
    const [sql, label] = [textAt(when, "sql"), text(asText(when.get("label")))];
    return sql === undefined || label === undefined ? undefined : `WHEN ${sql} THEN ${label}`;
  });
  const other = text(textAt(written?.get("else"), "label"));
  if (whens.length === 0 || whens.some((when) => when === undefined)) return undefined;
  return `CASE ${whens.join(" ")}${other === undefined ? "" : ` ELSE ${other}`} END`;
}
