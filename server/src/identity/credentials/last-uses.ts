import type { Clock } from "#base";
import type { CredentialStore } from "#storage";

/** Pause between two stores of last uses, milliseconds: a use must not cost a write. */
const STORE_EVERY_MS = 10_000;

/** When credentials were used last, kept in memory between two writes. */
interface LastUses {
  note(id: string): void;
  /** Writes what was noted. */
  store(): Promise<void>;
  /** Writes what was noted, and stops. */
  close(): Promise<void>;
}

/** Notes the last uses of credentials. A server that is killed loses those of the last ten seconds. */
export function createLastUses(credentials: Pick<CredentialStore, "touch">, clock: Clock): LastUses {
  let noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = noted;
    noted = new Map();
    await credentials.touch(uses);
  }

  return {
    note(id) {
      noted.set(id, Math.floor(clock.now()));
      // The engine logs a store that fails, and the next use is noted again.
      timer ??= setTimeout(() => void store().catch(() => {}), STORE_EVERY_MS).unref();
    },
    store,
    close: store,
  };
}
