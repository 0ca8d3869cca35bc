import type { Logger } from "#base";
import { internal, unavailable } from "#status";
import type { StorageError } from "./errors.ts";

interface Failed {
  readonly logger: Logger;
  /** For the log: what failed. */
  readonly event: string;
  /** Whether the log has the reason already. Default false. */
  readonly isKnown?: boolean;
  /** What cannot be reached. Default "data". */
  readonly what?: "data" | "files";
}

/**
 * The error of a client whose request the storage cannot serve: INTERNAL for a defect of ours, else UNAVAILABLE with the reason. The message with the place is for the
 * operator, and is logged (DB-10).
 */
export function storageFailed(error: StorageError, { logger, event, isKnown = false, what = "data" }: Failed): Error {
  if (error.reason === "DEFECT") return internal(error);
  if (!isKnown) logger.error({ err: error }, event);
  const failure = unavailable(`The server cannot reach its stored ${what} at the moment. Its log has the reason.`, {
    reason: "STORAGE_UNAVAILABLE",
    metadata: { storage: error.reason },
  });
  // For a start that fails: clients never see a cause.
  failure.cause = error;
  return failure;
}
