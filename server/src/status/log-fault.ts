import { Code } from "@connectrpc/connect";
import type { Logger } from "#base";
import { toStatusError } from "./to-status-error.ts";

/**
 * Logs what goes on as data, a result or a report: at error level with its cause where it is a fault of this server, because the data says no more than
 * "internal error". Status errors that name what a user or another server did wrong say it themselves, and are not logged.
 */
export function logFault(error: unknown, logger: Logger, message: string, facts: object = {}): void {
  const { code, cause } = toStatusError(error);
  if (code === Code.Internal) logger.error({ err: cause ?? error, ...facts }, message);
}
