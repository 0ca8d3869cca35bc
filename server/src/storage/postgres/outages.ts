import type { Logger } from "#base";
import { ConnectError } from "#status";
import type { StorageError } from "../errors.ts";
import { storageFailed } from "../storage-failed.ts";
import { toStorageError } from "./to-storage-error.ts";

/**
 * What a server says of a database that fails. Its log has one line for the begin of each kind of failure, and one when statements succeed and none has failed for a
 * while, however many fail in between.
 */
export interface Outages {
  /** The error of a client whose request failed with this one (DB-10). An error for clients stays as it is. */
  refusal(error: unknown): Error;
  /** Reports what no client waits for. */
  report(error: unknown, event: string): void;
  /** A statement succeeded. */
  passed(): void;
}

interface OutagesOptions {
  /** Where the database is, for messages. */
  readonly place: string;
  readonly logger: Logger;
  /** Called with each failure, whether the log has it or not. Default: nothing. */
  readonly onFailure?: (error: StorageError) => void;
}

/** Milliseconds without a failure after which a statement that succeeds shows the end of an outage: reads may succeed while writes fail. */
const QUIET_MS = 5_000;

/** Creates the reports of a server. */
export function createOutages({ place, logger, onFailure = () => {} }: OutagesOptions): Outages {
  /** When each kind failed last. */
  const kinds = new Map<string, number>();

  /** Whether the log has a failure of this kind. A defect of ours is no outage, and each is logged. */
  function note(error: StorageError): boolean {
    onFailure(error);
    if (error.reason === "DEFECT") return false;
    const kind = kindOf(error);
    const isKnown = kinds.has(kind);
    kinds.set(kind, performance.now());
    return isKnown;
  }

  return {
    refusal(error) {
      if (error instanceof ConnectError) return error;
      const fault = toStorageError(error, place);
      return storageFailed(fault, { logger, event: "the database failed", isKnown: note(fault) });
    },
    report(error, event) {
      const fault = toStorageError(error, place);
      if (!note(fault)) logger.error({ err: fault }, event);
    },
    passed() {
      if (kinds.size === 0) return;
      const before = performance.now() - QUIET_MS;
      for (const [kind, last] of kinds) if (last < before) kinds.delete(kind);
      if (kinds.size === 0) logger.info("the database works again");
    },
  };
}

/** Errors of one kind have the same sentence, but for what the database or the network says in it. */
function kindOf({ message }: StorageError): string {
  return message.replace(/ \(.*|(?<= written): .*/s, "");
}
