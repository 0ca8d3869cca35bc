import type { JsonValue } from "#base";

/** A value of an attribute in OTLP/JSON: 64-bit numbers are strings. */
type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };

/** An attribute. */
interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

/** `opentelemetry.proto.trace.v1.Span`, the fields that are used. Ids are hexadecimal, times nanoseconds since the epoch. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: 1 | 2 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  /** Code 2 is an error; unset otherwise. */
  readonly status?: { readonly code: 2; readonly message?: string };
}

/** Attributes from plain values: undefined ones are left out, lists of strings stay lists, other lists and objects become JSON text. */
export function toAttributes(values: Readonly<Record<string, JsonValue | undefined>>): readonly OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: JsonValue): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return { arrayValue: { values: value.map(toValue) } };
  if (typeof value !== "number") return { stringValue: JSON.stringify(value) };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
