import { StorageError } from "../errors.ts";

/** Milliseconds by which the clock of a server may differ from the database's (DB-9). */
const MAX_SKEW_MS = 5_000;

/** When the database was asked for its time and answered, by the clock of this machine, and the answer; milliseconds since the epoch. */
interface AskedTime {
  readonly sent: number;
  readonly received: number;
  readonly database: number;
}

/** The error of a server whose clock is wrong; undefined while the time of the answer could explain the difference. */
export function clockFault(asked: AskedTime, place: string): StorageError | undefined {
  const skew = difference(asked);
  if (skew === 0) return undefined;
  return new StorageError(
    "CLOCK",
    `The clock of this machine and that of the database '${place}' differ by ${Math.round(skew / 1_000)} s, so this server runs no turns: set the clock.`,
  );
}

function difference({ sent, received, database }: AskedTime): number {
  if (sent - database > MAX_SKEW_MS) return sent - database;
  if (database - received > MAX_SKEW_MS) return received - database;
  return 0;
}
