import type { Logger } from "#base";
import { toStatusError } from "#status";

/** Says of work that is done again and again when it fails, and when it works again (DB-10). */
interface FaultLog {
  failed(error: unknown): void;
  passed(): void;
}

/** Milliseconds after which the log has again that a job fails as it did before: an outage of an hour is not thousands of lines. */
const LOG_AGAIN_MS = 600_000;

/** Creates the log of one kind of work. A failure is logged unless the one before had the same reason. */
export function createFaultLog(name: string, logger: Logger): FaultLog {
  let told: { readonly message: string; readonly at: number } | undefined;
  return {
    failed(error) {
      const { message } = toStatusError(error);
      if (told?.message === message && performance.now() - told.at < LOG_AGAIN_MS) return;
      told = { message, at: performance.now() };
      logger.error({ err: error }, `${name} failed`);
    },
    passed() {
      if (told) logger.info(`${name} works again`);
      told = undefined;
    },
  };
}
