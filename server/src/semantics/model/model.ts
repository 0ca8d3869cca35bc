/** Units that times are grouped by; weeks begin on Monday. */
export const GRAINS = ["hour", "day", "week", "month", "quarter", "year"] as const;
export type ModelGrain = (typeof GRAINS)[number];

/** Units of windows and offsets. */
export const UNITS = ["day", "week", "month", "quarter", "year"] as const;
export type TimeUnit = (typeof UNITS)[number];

/** A number of whole units. */
export interface TimeSpan {
  readonly count: number;
  readonly unit: TimeUnit;
}

export const DIMENSION_TYPES = ["text", "number", "boolean", "date", "timestamp"] as const;
export type DimensionType = (typeof DIMENSION_TYPES)[number];

export const AGGREGATIONS = [
  "sum",
  "count",
  "count_distinct",
  "average",
  "min",
  "max",
  "median",
  "percentile",
  "sum_boolean",
] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** What people call a thing, and what it means. */
export interface Described {
  readonly label?: string;
  readonly description?: string;
  readonly synonyms?: readonly string[];
}

/**
 * What the numbers of a company mean, written down once: rows (datasets), what they are grouped by (dimensions), what is added up
 * (measures), the numbers that people ask for (metrics), and how datasets join. Expressions are SQL over the columns of their own
 * dataset; `${name}` in one stands for a dimension of the same dataset, `${dataset.name}` for one of any dataset.
 */
export interface ModelDefinition {
  readonly name: string;
  readonly description?: string;
  /** For a language model: how the model is to be used. */
  readonly instruction?: string;
  readonly datasets: readonly Dataset[];
  readonly relationships: readonly ModelRelationship[];
  readonly metrics: readonly Metric[];
  readonly filters: readonly NamedFilter[];
  readonly glossary: readonly GlossaryTerm[];
  readonly verifiedQuestions: readonly VerifiedQuestion[];
  readonly extensions?: readonly Extension[];
}

/** A table, or a SELECT, with what its columns mean. */
export interface Dataset extends Described {
  readonly name: string;
  /** Name of the table, outermost part first, with dots; or `sql`. */
  readonly table?: string;
  /** A SELECT whose rows are the dataset. */
  readonly sql?: string;
  /** Columns whose values occur once together; the first is the primary key. */
  readonly keys: readonly (readonly string[])[];
  /** The time of measures that name none: a dimension of the dataset, or `dataset.dimension` of one that is joined to it. */
  readonly timeDimension?: string;
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  readonly extensions?: readonly Extension[];
}

/** What rows can be grouped and filtered by. */
export interface Dimension extends Described {
  readonly name: string;
  /** Default: the column of the same name. */
  readonly expr?: string;
  /** Other spellings of `expr`, by the name of the dialect (`BIGQUERY`, `SNOWFLAKE`, …). */
  readonly dialects?: Readonly<Record<string, string>>;
  readonly type: DimensionType;
  /** The smallest unit of its times. */
  readonly grain?: ModelGrain;
  /** All values it has, where they are few. */
  readonly values?: readonly string[];
  /** Whether it only serves other expressions: nobody groups by it. */
  readonly hidden?: boolean;
  readonly extensions?: readonly Extension[];
}

/** An aggregate over the rows of one dataset, which metrics are made of. */
export interface Measure extends Described {
  readonly name: string;
  readonly aggregation: Aggregation;
  /** What is aggregated. Optional for `count` alone, which then counts rows. */
  readonly expr?: string;
  /** Only rows for which this is true. */
  readonly filter?: string;
  /** Of `percentile`: 0 to 1. */
  readonly percentile?: number;
  readonly timeDimension?: string;
  /** What `min` and `max` give. Default number. */
  readonly type?: DimensionType;
}

/** Joins rows of `from` to at most one row of `to`. `many_to_many` is told and never joined. */
export interface ModelRelationship extends Described {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Pairs of a column of `from` and one of `to`; `${name}` is a dimension of its dataset. */
  readonly columns: readonly (readonly [string, string])[];
  readonly cardinality: "many_to_one" | "one_to_one" | "many_to_many";
  readonly extensions?: readonly Extension[];
}

interface AnyMetric extends Described {
  readonly name: string;
  /** Conditions with `${dataset.dimension}`, all of which rows must fulfil. */
  readonly filter?: readonly string[];
  /** Whether it only serves other metrics: nobody asks for it. */
  readonly hidden?: boolean;
  readonly extensions?: readonly Extension[];
}

/** A number that can be asked for: a measure, or made of other metrics. */
export type Metric = SimpleMetric | RatioMetric | DerivedMetric | CumulativeMetric;

/** A measure, `dataset.measure`. */
interface SimpleMetric extends AnyMetric {
  readonly kind: "simple";
  readonly measure: string;
  /** In place of no value. */
  readonly fill?: number;
}

/** One metric divided by another; nothing where that is zero. */
interface RatioMetric extends AnyMetric {
  readonly kind: "ratio";
  readonly numerator: MetricInput;
  readonly denominator: MetricInput;
}

/** Arithmetic over metrics by their names or aliases. */
interface DerivedMetric extends AnyMetric {
  readonly kind: "derived";
  readonly expression: string;
  readonly inputs: readonly MetricInput[];
}

/** A measure over all rows up to the end of each unit, over a window that ends there, or since the begin of a larger unit. */
interface CumulativeMetric extends AnyMetric {
  readonly kind: "cumulative";
  readonly measure: string;
  readonly window?: TimeSpan;
  readonly toDate?: TimeUnit;
  readonly fill?: number;
}

/** A metric in the expression of another. */
export interface MetricInput {
  readonly metric: string;
  readonly alias?: string;
  readonly filter?: readonly string[];
  /** The metric that much earlier. */
  readonly offset?: TimeSpan;
  /** The metric in the first unit of this larger one. */
  readonly offsetTo?: TimeUnit;
}

/** A condition that people call by a name. */
export interface NamedFilter extends Described {
  readonly name: string;
  readonly expr: string;
}

interface GlossaryTerm {
  readonly term: string;
  readonly meaning: string;
}

/** A question whose answer was checked by a person. */
interface VerifiedQuestion {
  readonly question: string;
  readonly sql: string;
}

/** What another product keeps in its own words, carried unread. */
export interface Extension {
  readonly vendor: string;
  readonly data: string;
}
