import type { Logger } from "#base";
import { isForLog, toStatusError } from "./to-status-error.ts";

/**
 * Logs what goes on as data, a result or a report: at error level with its cause where it is a fault of this server or of its disk, because the data says no more than
 * "internal error". Status errors that name what a user or another server did wrong say it themselves, and are not logged.
 */
export function logFault(error: unknown, logger: Logger, message: string, facts: object = {}): void {
  const statusError = toStatusError(error);
  if (isForLog(statusError)) logger.error({ err: statusError.cause ?? error, ...facts }, message);
}
