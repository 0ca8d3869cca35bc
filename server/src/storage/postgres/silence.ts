import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "#base";
import { StorageError } from "../errors.ts";
import type { Connections } from "./connections.ts";
import { afterWaiting } from "./waiting.ts";

interface SilenceOptions {
  /** Where the database is, for messages. */
  readonly place: string;
  readonly logger: Logger;
}

/** Milliseconds between two questions that any database answers at once: it needs no lock and no disk for them. */
const ASK_EVERY_MS = 1_000;
/** Milliseconds in which nothing came over any connection, though one was asked, after which all of them are given up. */
const SILENT_MS = 2_000;

/**
 * Gives up the connections of a server over which nothing comes any more (DB-40): a network that drops what is sent ends none, nor does a machine that is gone. `asking`: a
 * connection that nothing else uses, because only one that is as old as the others shows whether they still work. Returns what ends the watch.
 */
export function watchSilence(
  asking: Connections,
  others: readonly Connections[],
  { place, logger }: SilenceOptions,
): () => Promise<void> {
  const all = [asking, ...others];
  const stopped = new AbortController();
  const lastHeard = () => Math.max(...all.map(({ heard }) => heard()));

  function giveUp(): void {
    const silent = new StorageError(
      "FAILED",
      `The database '${place}' cannot be heard any more: check the network to it, and that its machine runs.`,
    );
    const ended = all.reduce((sum, { giveUp: end }) => sum + end(silent), 0);
    if (ended > 0) logger.warn({ err: silent, connections: ended }, "connections to a silent database are given up");
  }

  async function ask(): Promise<void> {
    let before = lastHeard();
    const isHeard = () => {
      const since = before;
      before = lastHeard();
      return before > since;
    };
    const stop = afterWaiting(SILENT_MS, giveUp, isHeard);
    // What it fails with is told by the statements that somebody waits for.
    await asking.query({ sql: "select 1", parameters: [] }).catch(() => {});
    stop();
  }

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      await ask();
      await pause(ASK_EVERY_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
    }
  }

  const watching = watch();
  return async () => {
    stopped.abort();
    await asking.close();
    await watching;
  };
}
