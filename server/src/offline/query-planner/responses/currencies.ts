import type { SemanticColumn, SemanticModel, SemanticTable } from "#analytics";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { isKey, isNumeric } from "../lexicon/meaning.ts";
import { columnLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Measure, SemanticQuery } from "../query/semantic-query.ts";

const CURRENCY = /\b(currency|ccy|curr|waehrung|währung|devise|moneda)\b/;
const MONEY =
  /\b(amount|price|total|subtotal|revenue|sales?|turnover|cost|value|salary|wage|fee|balance|budget|paid|net|gross|payment|spend|income|profit|discount|tax|vat)\b/;

/** Warns where amounts of several currencies are added up or compared as they are: nobody converts them (CA-84). */
export function mixedCurrencies(query: SemanticQuery, model: SemanticModel): readonly string[] {
  const amounts = query.measures.flatMap(amountsOf);
  const found = amounts.flatMap(({ table, column }) =>
    currenciesOf(table, model)
      .filter((currency) => !isOneOnly(query, currency.column))
      .map(({ column: currency, values }) => {
        const name = columnLabel(table, column);
        return `${name} is in several currencies (${values.join(", ")}), which are not converted; name one, or say “by ${currency.name}”.`;
      }),
  );
  return [...new Set(found)];
}

/** The columns of money that a measure is of; what an author defined is not looked into. */
function amountsOf(measure: Measure): readonly ColumnRef[] {
  if (measure.kind === "ratio") return amountsOf(measure.of);
  if (measure.kind === "combined") return [measure.left, measure.right].flatMap(amountsOf);
  if (measure.kind !== "aggregate" || measure.fn === "distinct") return [];
  const { table, column } = measure;
  const computed = computedOf(column);
  const columns =
    computed?.kind === "product"
      ? computed.factors
      : !computed || computed.kind === "hundredth"
        ? [{ table, column }]
        : [];
  return columns.filter((one) => isMoney(one) && isNumeric(one.column) && !isKey(one.table, one.column));
}

function isMoney({ table, column }: ColumnRef): boolean {
  return MONEY.test(columnLabel(table, column));
}

const MOST_SHOWN = 4;

/** The columns of currencies of a row, and of the rows that it belongs to, that have several. */
function currenciesOf(table: SemanticTable, model: SemanticModel) {
  const near = model.tables.filter(
    (one) => one === table || joinsOf(model).path(table, one, new Set())?.steps.length === 1,
  );
  return near.flatMap((one) =>
    one.columns.flatMap((column) => {
      const values = column.values ?? column.samples ?? [];
      const isCurrency = CURRENCY.test(columnLabel(one, column)) && !isKey(one, column) && values.length > 1;
      return isCurrency ? [{ column, values: values.toSorted().slice(0, MOST_SHOWN) }] : [];
    }),
  );
}

function isOneOnly({ filters, dimensions }: SemanticQuery, currency: SemanticColumn): boolean {
  const isChosen = filters.some(
    (one) => one.kind === "values" && one.column === currency && !one.negated && one.values.length === 1,
  );
  return isChosen || dimensions.some((one) => one.kind === "column" && one.column === currency);
}
