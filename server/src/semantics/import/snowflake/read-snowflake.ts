import { nonEmptyFields } from "#base";
import { replaceNames } from "../../expression/qualified-names.ts";
import { isTrue, type Located, readLocated, textAt, textsAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type {
  Dataset,
  Dimension,
  DimensionType,
  Measure,
  Metric,
  ModelRelationship,
  NamedFilter,
} from "../../model/model.ts";
import type { Importer } from "../contract.ts";
import { namedCondition, onlyTime } from "../named-condition.ts";
import { readTableMetrics } from "./metrics.ts";
import { described, same } from "./names.ts";

/** Reads the YAML of a semantic view, or of a semantic model of Cortex Analyst, with its verified queries (SEM-11). */
export const readSnowflake: Importer = (files, { name }, notes) => {
  const [file, ...others] = files.map((one) => readLocated(one));
  for (const other of others) notes.add(other, "is not imported: one semantic view at a time");
  if (!file) throw new Error("an importer is called with files");
  notes.unread(
    file,
    [
      "name",
      "description",
      "tables",
      "relationships",
      "metrics",
      "verified_queries",
      "custom_instructions",
      "module_custom_instructions",
    ],
    "view",
  );
  const tables = file.get("tables")?.items() ?? [];
  const filters: NamedFilter[] = [];
  const datasets = tables.map((table) => readTable(table, filters, notes));
  const relationships = (file.get("relationships")?.items() ?? []).map((one) => readRelationship(one, datasets, notes));
  const { metrics, measures } = readTableMetrics(tables, file.get("metrics")?.items() ?? [], datasets, notes);
  const instruction = [
    textAt(file, "custom_instructions"),
    ...(file.get("module_custom_instructions")?.entries() ?? []).map(([, text]) => String(text.value ?? "")),
  ]
    .filter(Boolean)
    .join("\n");
  const description = textAt(file, "description");
  return {
    name: name ?? textAt(file, "name") ?? "model",
    ...nonEmptyFields({ description, instruction }),
    datasets: datasets.map(
      (dataset): Dataset => ({ ...dataset, measures: measures.get(dataset.name) ?? ([] as readonly Measure[]) }),
    ),
    relationships,
    metrics: metrics as readonly Metric[],
    filters,
    glossary: [],
    verifiedQuestions: (file.get("verified_queries")?.items() ?? []).flatMap((query) => {
      notes.unread(
        query,
        ["name", "question", "sql", "verified_at", "verified_by", "use_as_onboarding_question"],
        "verified query",
      );
      const [question, sql] = [textAt(query, "question"), textAt(query, "sql")];
      return question && sql ? [{ question, sql }] : [];
    }),
  };
};

const TABLE_KEYS = [
  "name",
  "description",
  "synonyms",
  "base_table",
  "primary_key",
  "unique_keys",
  "dimensions",
  "time_dimensions",
  "facts",
  "measures",
  "metrics",
  "filters",
];

function readTable(node: Located, filters: NamedFilter[], notes: Notes): Dataset {
  const name = textAt(node, "name") ?? "";
  notes.unread(node, TABLE_KEYS, `table ${name}`);
  const base = node.get("base_table");
  const definition = textAt(base, "definition");
  const written = [
    ...(node.get("dimensions")?.items() ?? []).map((one) => ({ node: one, kind: "dimension" as const })),
    ...(node.get("time_dimensions")?.items() ?? []).map((one) => ({ node: one, kind: "time" as const })),
    ...(node.get("facts")?.items() ?? []).map((one) => ({ node: one, kind: "fact" as const })),
  ];
  const logical = written.map((one) => ({
    ...one,
    name: textAt(one.node, "name") ?? "",
    expr: textAt(one.node, "expr") ?? "",
  }));
  const dimensions = logical.map((one) => readField(one, name, logical, notes));
  for (const filter of node.get("filters")?.items() ?? []) {
    const own = textAt(filter, "name") ?? "";
    notes.unread(filter, ["name", "description", "synonyms", "expr"], `filter ${name}.${own}`);
    const condition = namedCondition(
      name,
      own,
      ownExpression(textAt(filter, "expr") ?? "", name, own, logical),
      described(filter),
    );
    dimensions.push(condition.dimension);
    filters.push(condition.filter);
  }
  const keys = [
    textsAt(node.get("primary_key"), "columns"),
    ...(node.get("unique_keys")?.items() ?? []).map((key) => textsAt(key, "columns")),
  ];
  return {
    name,
    ...described(node),
    ...(definition
      ? { sql: definition }
      : { table: ["database", "schema", "table"].flatMap((key) => textAt(base, key) ?? []).join(".") }),
    // Keys may be named by dimensions; they are those columns.
    keys: keys.filter((key) => key.length > 0).map((key) => key.map((column) => columnOf(column, dimensions))),
    ...onlyTime(dimensions),
    dimensions,
    measures: [],
  };
}

interface Logical {
  readonly node: Located;
  readonly kind: "dimension" | "time" | "fact";
  readonly name: string;
  readonly expr: string;
}

/** Names of logical columns win over columns of the table, but in their own expression. */
function ownExpression(expr: string, table: string, own: string, logical: readonly Logical[]): string {
  return replaceNames(expr, ({ qualifier, name }) => {
    if (qualifier !== undefined && !same(qualifier, table)) return undefined;
    const found = logical.find((one) => same(one.name, name) && !same(one.name, own) && !same(one.expr, one.name));
    return found ? `\${${found.name}}` : name;
  });
}

const FIELD_KEYS = [
  "name",
  "expr",
  "description",
  "synonyms",
  "data_type",
  "unique",
  "sample_values",
  "is_enum",
  "access_modifier",
];

function readField(field: Logical, table: string, logical: readonly Logical[], notes: Notes): Dimension {
  const { node, name, kind, expr } = field;
  notes.unread(node, FIELD_KEYS, `${kind} ${table}.${name}`);
  const values = textsAt(node, "sample_values");
  const written = ownExpression(expr || name, table, name, logical);
  const hidden = kind === "fact" || textAt(node, "access_modifier") === "private_access";
  return {
    name,
    ...described(node),
    ...(written !== name && { expr: written }),
    type: kind === "fact" ? "number" : typeOf(textAt(node, "data_type"), kind),
    ...(isTrue(node, "is_enum") && values.length > 0 && { values }),
    ...nonEmptyFields({ hidden }),
  };
}

function typeOf(written: string | undefined, kind: Logical["kind"]): DimensionType {
  const type = written?.toUpperCase() ?? "";
  if (/^(NUMBER|DECIMAL|NUMERIC|INT|BIGINT|SMALLINT|FLOAT|DOUBLE|REAL)/.test(type)) return "number";
  if (/^BOOL/.test(type)) return "boolean";
  if (/^DATE$/.test(type)) return "date";
  return /^TIMESTAMP|^DATETIME/.test(type) || kind === "time" ? "timestamp" : "text";
}

/** The column of a dimension that is one. */
function columnOf(name: string, dimensions: readonly Dimension[]): string {
  const found = dimensions.find((dimension) => same(dimension.name, name));
  if (!found || found.expr === undefined) return found?.name ?? name;
  return /^[A-Za-z_]\w*$/.test(found.expr) ? found.expr : `\${${found.name}}`;
}

function readRelationship(node: Located, datasets: readonly Dataset[], notes: Notes): ModelRelationship {
  const [name = "", from = "", to = ""] = [
    textAt(node, "name"),
    textAt(node, "left_table"),
    textAt(node, "right_table"),
  ];
  notes.unread(
    node,
    ["name", "left_table", "right_table", "relationship_columns", "join_type", "relationship_type"],
    `relationship ${name}`,
  );
  if (textAt(node, "join_type")?.toLowerCase() === "inner")
    notes.add(node, `relationship ${name}: join_type inner is not carried; rows without a match are kept`);
  const dimensionsOf = (table: string) => datasets.find((dataset) => same(dataset.name, table))?.dimensions ?? [];
  const columns = (node.get("relationship_columns")?.items() ?? []).map(
    (pair) =>
      [
        columnOf(textAt(pair, "left_column") ?? "", dimensionsOf(from)),
        columnOf(textAt(pair, "right_column") ?? "", dimensionsOf(to)),
      ] as const,
  );
  const type = textAt(node, "relationship_type")?.toLowerCase();
  const nameOf = (table: string) => datasets.find((dataset) => same(dataset.name, table))?.name ?? table;
  return {
    name,
    from: nameOf(from),
    to: nameOf(to),
    columns,
    cardinality: type === "one_to_one" ? "one_to_one" : "many_to_one",
  };
}
