import {
  type CompiledQuery,
  compileQuery,
  type Dataset,
  type Dimension,
  type DimensionType,
  type ModelDefinition,
  ModelFault,
  type ModelQuery,
  modelDialect,
} from "#semantics";
import type { FoundValue, SemanticColumn, SemanticModel, SemanticTable } from "../contract.ts";

/** The semantic model of an author over the tables of a data agent. */
export interface DefinedModel {
  /** With the types of columns that it does not state. */
  readonly definition: ModelDefinition;
  /** Throws `ModelFault`, also where a table of the model is not among those of the data agent. */
  compile(query: ModelQuery): CompiledQuery;
  /** Values of a dimension that is a column: those of the model, else those that were read. */
  values(dataset: Dataset, dimension: Dimension): readonly string[];
  /** The dimension that shows a column. */
  dimensionOf(value: FoundValue): string | undefined;
}

/** Binds datasets to tables by their names, from the last part on. */
export function bindModel(definition: ModelDefinition, { source, tables }: SemanticModel): DefinedModel {
  const dialect = modelDialect(source.dialect);
  const bound = new Map(definition.datasets.map((dataset) => [dataset.name, tableOf(dataset, tables)]));
  const columnOf = (dataset: Dataset, { name, expr = name }: Dimension) =>
    bound.get(dataset.name)?.columns.find((column) => column.name.toLowerCase() === expr.toLowerCase());
  const typed = {
    ...definition,
    datasets: definition.datasets.map((dataset) => ({
      ...dataset,
      dimensions: dataset.dimensions.map((dimension) => withType(dimension, columnOf(dataset, dimension))),
    })),
  };
  return {
    definition: typed,
    compile(query) {
      if (!dialect) throw new ModelFault([`semantic models are not compiled for ${source.dialect}`]);
      return compileQuery(typed, query, {
        dialect,
        tableOf(dataset) {
          const table = bound.get(dataset.name);
          if (table) return source.quoteTable(table.schema.path);
          throw new ModelFault([
            `dataset ${dataset.name}: its table ${dataset.table} is not among the tables of the data agent`,
          ]);
        },
      });
    },
    values: (dataset, dimension) => dimension.values ?? columnOf(dataset, dimension)?.values ?? [],
    dimensionOf({ table, column }) {
      const shown = definition.datasets.find(({ name }) => bound.get(name)?.schema.path.join(".") === table.join("."));
      const dimension = shown?.dimensions.find(
        ({ name, expr = name, hidden }) => !hidden && expr.toLowerCase() === column.toLowerCase(),
      );
      return shown && dimension && `${shown.name}.${dimension.name}`;
    },
  };
}

/** `orders`, `sales.orders` and `acme.sales.orders` name the same table; undefined where two tables could be meant. */
function tableOf({ table }: Dataset, tables: readonly SemanticTable[]): SemanticTable | undefined {
  const parts = table?.replaceAll(/[`"]/g, "").toLowerCase().split(".") ?? [];
  const fits = (length: number) =>
    tables.filter(({ schema: { path } }) => {
      const tail = path.slice(-length).map((part) => part.toLowerCase());
      return length > 0 && tail.join(".") === parts.slice(-length).join(".");
    });
  // A model of another database may have a first part of its own; the last one alone must be unambiguous.
  for (let length = parts.length; length > 0; length--) {
    const found = fits(length);
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

const TYPES: Readonly<Record<string, DimensionType>> = {
  ...{ INT64: "number", FLOAT64: "number", NUMERIC: "number", BIGNUMERIC: "number", BOOL: "boolean" },
};

/** Formats without types give each dimension as text. */
function withType(dimension: Dimension, column: SemanticColumn | undefined): Dimension {
  const type = dimension.type === "text" ? TYPES[column?.type ?? ""] : undefined;
  return type ? { ...dimension, type } : dimension;
}
