import { nonEmptyFields } from "#base";
import type { Notes } from "../../files/notes.ts";
import type { Described, Dimension, DimensionType } from "../../model/model.ts";
import { type LookmlNode, parameter, textOf } from "./parse-lookml.ts";

/** Replaces `${TABLE}.column` by the column and `${field}` by what `field` gives; undefined where one is not known, or for Liquid. */
export function lookmlExpression(
  sql: string,
  own: string,
  field: (name: string, view: string) => string | undefined,
): string | undefined {
  let isWhole = !/\{%|\{\{/.test(sql);
  const written = sql.replace(/\$\{([^{}]*)\}(\.)?/g, (_, inner: string, dot = "") => {
    const reference = inner.trim();
    if (reference === "TABLE") return dot === "." ? "" : own;
    const [view, name] = reference.includes(".") ? reference.split(".", 2) : [own, reference];
    const found = field(name ?? "", view ?? own);
    isWhole &&= found !== undefined;
    return `${found ?? ""}${dot}`;
  });
  return isWhole ? written.trim() : undefined;
}

/** Names of fields that are one dimension here: `created_date` and `created_month` are grains of `created`. */
export function dimensionNames(view: LookmlNode): ReadonlyMap<string, string> {
  return new Map(
    view.children.flatMap((node): (readonly [string, string])[] => {
      if (node.key === "dimension") return [[node.name, node.name]];
      if (node.key !== "dimension_group") return [];
      const raw = ["raw", "time"].map((frame) => [`${node.name}_${frame}`, node.name] as const);
      return [[node.name, node.name], ...raw];
    }),
  );
}

const TYPES: Readonly<Record<string, DimensionType>> = {
  ...{ string: "text", zipcode: "text", number: "number", yesno: "boolean", tier: "text" },
  ...{ date: "date", date_time: "timestamp", date_raw: "timestamp", time: "timestamp" },
};

const KEYS = new Set([
  "type",
  "sql",
  "label",
  "description",
  "hidden",
  "primary_key",
  "case",
  "timeframes",
  "datatype",
  "convert_tz",
  "value_format",
  "value_format_name",
  "group_label",
  "drill_fields",
  "tags",
  "allowed_value",
  "link",
  "html",
  "tiers",
  "style",
]);

/** Label and description of a view or a field. */
export function lookmlDescribed(node: LookmlNode): Described {
  const [label, description] = [textOf(node, "label"), textOf(node, "description")];
  return nonEmptyFields({ label, description });
}

/** The dimensions of a view, and the columns of its primary key. */
export function readFields(view: LookmlNode, notes: Notes) {
  const names = dimensionNames(view);
  const keys: string[] = [];
  const dimensions = view.children
    .filter(({ key }) => key === "dimension" || key === "dimension_group")
    .flatMap((node): readonly Dimension[] => {
      const what = `${node.key} ${view.name}.${node.name}`;
      for (const child of node.children)
        if (!KEYS.has(child.key)) notes.add(child, `${what}: ${child.key} is not carried`);
      const isGroup = node.key === "dimension_group";
      const written = textOf(node, "type") ?? (isGroup ? "time" : "string");
      const type = isGroup && textOf(node, "datatype") === "date" ? "date" : TYPES[written];
      const sql = textOf(node, "sql") ?? (parameter(node, "case") ? caseExpression(node) : `\${TABLE}.${node.name}`);
      const expr =
        sql &&
        lookmlExpression(sql, view.name, (name, of) =>
          of === view.name && names.has(name) ? `\${${names.get(name)}}` : undefined,
        );
      if (!type || !expr || (isGroup && written !== "time") || written === "tier") {
        notes.add(
          node,
          `${what} is left out: ${type && written !== "tier" ? "its sql is not over columns and dimensions of its view" : `type ${written} is not carried`}`,
        );
        return [];
      }
      if (textOf(node, "primary_key") === "yes") keys.push(/^\w+$/.test(expr) ? expr : `\${${node.name}}`);
      const hidden = textOf(node, "hidden") === "yes";
      return [
        {
          name: node.name,
          ...lookmlDescribed(node),
          ...(expr !== node.name && { expr }),
          type,
          ...nonEmptyFields({ hidden }),
        },
      ];
    });
  return { dimensions, keys };
}

/** `case: { when: { sql: …;; label: "…" } else: "…" }` as SQL. */
function caseExpression(node: LookmlNode): string | undefined {
  const written = parameter(node, "case");
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const whens = (written?.children ?? [])
    .filter(({ key }) => key === "when")
    .map((when) => {
      const [sql, label] = [textOf(when, "sql"), textOf(when, "label")];
      return sql && label ? `WHEN ${sql} THEN ${quoted(label)}` : undefined;
    });
  const other = written && textOf(written, "else");
  if (whens.length === 0 || whens.some((when) => when === undefined)) return undefined;
  return `CASE ${whens.join(" ")}${other ? ` ELSE ${quoted(other)}` : ""} END`;
}
