import { create } from "@bufbuild/protobuf";
import {
  type ModelQuery_Condition as Condition,
  ModelQuery_ConditionSchema as ConditionSchema,
  type ModelVocabulary_Dimension as Dimension,
  ModelQuery_FilterSchema as FilterSchema,
  type ModelQuery_Grouping as Grouping,
  ModelQuery_GroupingSchema as GroupingSchema,
  ModelQuery_MetricConditionSchema as MetricConditionSchema,
  type ModelQuery,
  type ModelVocabulary,
  ModelQuery_OrderSchema as OrderSchema,
} from "@frontdesk/protos/gda/model_query";
import { type Choice, SelectField, TextField } from "../../../components/field.tsx";
import { COMPARISONS, OPERATORS, withoutValues } from "./operators.ts";
import { PartList } from "./part-list.tsx";

interface QueryPartsProps {
  readonly query: ModelQuery;
  readonly vocabulary: ModelVocabulary;
  /** Called with the part that changed. */
  readonly onChange: (part: Partial<ModelQuery>) => void;
}

/** The parts of a query of a semantic model: metrics, groupings with their grain, conditions, named filters, order, limit. */
export function QueryParts({ query, vocabulary, onChange }: QueryPartsProps) {
  const metrics = named(vocabulary.metrics);
  const dimensions = named(vocabulary.dimensions);
  const filters = named(vocabulary.filters);
  const metricChoices = query.metrics.map((name) => choiceOf(metrics, name));
  const orders = [...metricChoices, ...query.groupBy.map(({ dimension }) => choiceOf(dimensions, dimension))];
  const dimensionOf = (name: string) => vocabulary.dimensions.find((one) => one.name === name);
  return (
    <div className="query-parts">
      <PartList
        label="Metrics"
        add="Add metric"
        items={query.metrics}
        next={metrics.find(({ value }) => !query.metrics.includes(value))?.value}
        onChange={(next) => onChange({ metrics: [...next] })}
      >
        {(metric, change, at) => (
          <SelectField
            hideLabel
            label={`Metric ${at + 1}`}
            value={metric}
            choices={withOwn(metrics, metric)}
            onChange={change}
          />
        )}
      </PartList>
      <PartList
        label="Group by"
        add="Add grouping"
        items={query.groupBy}
        next={freeGrouping(vocabulary, query)}
        onChange={(groupBy) => onChange({ groupBy: [...groupBy] })}
      >
        {(grouping, change, at) => (
          <GroupingFields
            {...{ grouping, change, at }}
            dimensions={dimensions}
            dimension={dimensionOf(grouping.dimension)}
            dimensionOf={dimensionOf}
          />
        )}
      </PartList>
      <PartList
        label="Where"
        add="Add condition"
        items={query.where}
        next={create(ConditionSchema, { dimension: dimensions[1]?.value ?? "", operator: "=", values: [""] })}
        onChange={(where) => onChange({ where: [...where] })}
      >
        {(condition, change, at) => (
          <ConditionFields
            {...{ condition, change, at }}
            dimensions={dimensions}
            dimension={dimensionOf(condition.dimension)}
          />
        )}
      </PartList>
      <NamedFilters {...{ query, onChange }} filters={filters} />
      <Thresholds {...{ query, onChange }} metrics={metricChoices} />
      <Orders {...{ query, onChange }} choices={orders} />
      <Limit limit={query.limit} onChange={(limit) => onChange({ limit })} />
    </div>
  );
}

type PartProps = Pick<QueryPartsProps, "query" | "onChange">;

function NamedFilters({ query, onChange, filters }: PartProps & { readonly filters: readonly Choice<string>[] }) {
  if (filters.length === 0) return null;
  return (
    <PartList
      label="Named filters"
      add="Add filter"
      items={query.filters}
      next={create(FilterSchema, {
        name: filters.find(({ value }) => !query.filters.some(({ name }) => name === value))?.value ?? "",
      })}
      onChange={(next) => onChange({ filters: [...next] })}
    >
      {(filter, change, at) => (
        <>
          <SelectField
            hideLabel
            label={`Only or without, filter ${at + 1}`}
            value={filter.negated ? "without" : "only"}
            choices={[
              { value: "only", label: "only" },
              { value: "without", label: "without" },
            ]}
            onChange={(value) => change({ ...filter, negated: value === "without" })}
          />
          <SelectField
            hideLabel
            label={`Filter ${at + 1}`}
            value={filter.name}
            choices={withOwn(filters, filter.name)}
            onChange={(name) => change({ ...filter, name })}
          />
        </>
      )}
    </PartList>
  );
}

function Thresholds({ query, onChange, metrics }: PartProps & { readonly metrics: readonly Choice<string>[] }) {
  return (
    <PartList
      label="Only groups with"
      add="Add threshold"
      items={query.having}
      next={create(MetricConditionSchema, { metric: query.metrics[0] ?? "", operator: ">", value: 0 })}
      onChange={(having) => onChange({ having: [...having] })}
    >
      {(condition, change, at) => (
        <>
          <SelectField
            hideLabel
            label={`Metric of threshold ${at + 1}`}
            value={condition.metric}
            choices={withOwn(metrics, condition.metric)}
            onChange={(metric) => change({ ...condition, metric })}
          />
          <SelectField
            hideLabel
            label={`Comparison of threshold ${at + 1}`}
            value={condition.operator}
            choices={withOwn(COMPARISONS, condition.operator)}
            onChange={(operator) => change({ ...condition, operator })}
          />
          <TextField
            hideLabel
            type="number"
            label={`Value of threshold ${at + 1}`}
            value={String(condition.value)}
            onChange={(value) => change({ ...condition, value: Number(value) })}
          />
        </>
      )}
    </PartList>
  );
}

function Orders({ query, onChange, choices }: PartProps & { readonly choices: readonly Choice<string>[] }) {
  return (
    <PartList
      label="Order"
      add="Add order"
      items={query.orderBy}
      next={create(OrderSchema, { by: query.metrics[0] ?? "", descending: true })}
      onChange={(orderBy) => onChange({ orderBy: [...orderBy] })}
    >
      {(order, change, at) => (
        <>
          <SelectField
            hideLabel
            label={`Order ${at + 1}`}
            value={order.by}
            choices={withOwn(choices, order.by)}
            onChange={(by) => change({ ...order, by })}
          />
          <SelectField
            hideLabel
            label={`Direction of order ${at + 1}`}
            value={order.descending ? "highest" : "lowest"}
            choices={[
              { value: "highest", label: "highest first" },
              { value: "lowest", label: "lowest first" },
            ]}
            onChange={(value) => change({ ...order, descending: value === "highest" })}
          />
        </>
      )}
    </PartList>
  );
}

interface LimitProps {
  readonly limit: number | undefined;
  readonly onChange: (limit: number | undefined) => void;
}

function Limit({ limit, onChange }: LimitProps) {
  return (
    <fieldset className="query-part">
      <legend>First rows</legend>
      <TextField
        hideLabel
        type="number"
        label="First rows"
        placeholder="all"
        value={limit === undefined ? "" : String(limit)}
        onChange={(text) => onChange(text === "" ? undefined : Math.max(1, Math.trunc(Number(text)) || 1))}
      />
    </fieldset>
  );
}

interface GroupingFieldsProps {
  readonly grouping: Grouping;
  readonly change: (grouping: Grouping) => void;
  readonly at: number;
  readonly dimensions: readonly Choice<string>[];
  readonly dimension: Dimension | undefined;
  readonly dimensionOf: (name: string) => Dimension | undefined;
}

function GroupingFields({ grouping, change, at, dimensions, dimension, dimensionOf }: GroupingFieldsProps) {
  const grains = dimension?.grains ?? [];
  return (
    <>
      <SelectField
        hideLabel
        label={`Grouping ${at + 1}`}
        value={grouping.dimension}
        choices={withOwn(dimensions, grouping.dimension)}
        onChange={(name) => change(create(GroupingSchema, { dimension: name, grain: grainFor(dimensionOf(name)) }))}
      />
      {grains.length > 0 && (
        <SelectField
          hideLabel
          label={`Grain of grouping ${at + 1}`}
          value={grouping.grain}
          choices={grains.map((grain) => ({ value: grain, label: `by ${grain}` }))}
          onChange={(grain) => change({ ...grouping, grain })}
        />
      )}
    </>
  );
}

interface ConditionFieldsProps {
  readonly condition: Condition;
  readonly change: (condition: Condition) => void;
  readonly at: number;
  readonly dimensions: readonly Choice<string>[];
  readonly dimension: Dimension | undefined;
}

function ConditionFields({ condition, change, at, dimensions, dimension }: ConditionFieldsProps) {
  const { operator, values } = condition;
  const known = dimension?.values ?? [];
  const label = `Value of condition ${at + 1}`;
  const choices = known.map((value) => ({ value, label: value }));
  return (
    <>
      <SelectField
        hideLabel
        label={`Condition ${at + 1}`}
        value={condition.dimension}
        choices={withOwn(dimensions, condition.dimension)}
        onChange={(name) => change({ ...condition, dimension: name, values: withoutValues(operator) ? [] : [""] })}
      />
      <SelectField
        hideLabel
        label={`Comparison of condition ${at + 1}`}
        value={operator}
        choices={withOwn(OPERATORS, operator)}
        onChange={(next) => change({ ...condition, operator: next, values: withoutValues(next) ? [] : values })}
      />
      {!withoutValues(operator) &&
        (choices.length > 0 && (operator === "=" || operator === "!=") ? (
          <SelectField
            hideLabel
            label={label}
            value={values[0] ?? ""}
            choices={withOwn(choices, values[0] ?? "")}
            onChange={(value) => change({ ...condition, values: [value] })}
          />
        ) : (
          <TextField
            hideLabel
            label={label}
            placeholder={dimension?.grains.length ? "2026-01-31" : operator.endsWith("in") ? "North, South" : "value"}
            value={values.join(", ")}
            onChange={(text) =>
              change({
                ...condition,
                values: operator.endsWith("in") ? text.split(",").map((one) => one.trim()) : [text],
              })
            }
          />
        ))}
    </>
  );
}

function named(all: readonly { readonly name: string; readonly label: string }[]): readonly Choice<string>[] {
  const labels = all.map(({ label }) => label);
  return all.map(({ name, label }) => {
    const isTwice = labels.filter((other) => other === label).length > 1;
    return { value: name, label: isTwice ? name.replaceAll(".", " ").replaceAll("_", " ") : label };
  });
}

function choiceOf(choices: readonly Choice<string>[], name: string): Choice<string> {
  return choices.find(({ value }) => value === name) ?? { value: name, label: name };
}

/** What the model has not any more is shown as it is. */
function withOwn(choices: readonly Choice<string>[], own: string): readonly Choice<string>[] {
  return own === "" || choices.some(({ value }) => value === own) ? choices : [...choices, { value: own, label: own }];
}

function grainFor(dimension: Dimension | undefined): string {
  const { grains = [] } = dimension ?? {};
  return grains.includes("month") ? "month" : (grains[0] ?? "");
}

/** A dimension that the query is not grouped by; undefined where there is none. */
function freeGrouping({ dimensions }: ModelVocabulary, { groupBy }: ModelQuery): Grouping | undefined {
  const free = dimensions.find(({ name }) => !groupBy.some(({ dimension }) => dimension === name));
  return free && create(GroupingSchema, { dimension: free.name, grain: grainFor(free) });
}
