import { pino } from "pino";

/**
 * An error as the log has it: type, message with those of its causes, stack and fields. A detail of a status error is its type and its values, without the
 * description of its format, which would be most of the line.
 */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const entry = pino.stdSerializers.err(error);
  const { details } = entry;
  return Array.isArray(details) ? { ...entry, details: details.map(withoutFormat) } : entry;
}

function withoutFormat(detail: unknown): unknown {
  if (typeof detail !== "object" || detail === null || !("desc" in detail)) return detail;
  const { desc, ...rest } = detail;
  const type = typeof desc === "object" && desc !== null && "typeName" in desc ? desc.typeName : undefined;
  return { type, ...rest };
}
