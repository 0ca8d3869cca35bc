/** Pixels of a bar that lies; a list of bars grows downwards, so that each name can be read. */
const BAR = 22;
const MAX_BARS = 200;

/** As much of a Vega-Lite specification as is read here. Whoever wrote it may have written anything. */
interface BarList {
  readonly encoding?: { readonly y?: { readonly type?: unknown; readonly field?: unknown } | null } | null;
  readonly data?: { readonly values?: unknown } | null;
}

/** The height of a plot of lying bars, pixels; undefined for any other chart. */
export function barListHeight(config: object): number | undefined {
  const { encoding, data } = config as BarList;
  const { type, field } = encoding?.y ?? {};
  const values = data?.values;
  if (type !== "nominal" || typeof field !== "string" || !Array.isArray(values)) return undefined;
  const bars = new Set(values.map((value: Readonly<Record<string, unknown>> | null) => value?.[field])).size;
  return Math.max(120, BAR * Math.min(MAX_BARS, bars));
}
