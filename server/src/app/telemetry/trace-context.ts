/** The position of a caller in its trace. */
interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the caller's span, the parent of the turn's root span. */
  readonly spanId: string;
  /** Whether the caller records the trace. If not, the turn's spans are not exported. */
  readonly sampled: boolean;
}

/** Later versions may append fields after the flags. Ids of zeros are invalid, and so is version ff. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;

/** Parses a `traceparent` header (W3C Trace Context); undefined for an invalid one, which means to start a new trace. */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  const { version, traceId, spanId, flags, more } = TRACEPARENT.exec(header?.trim() ?? "")?.groups ?? {};
  if (!traceId || !spanId || !flags || (version === "00" && more)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
