/** Hosts that are remembered; the one that was silent first is forgotten. */
const MOST_SILENT_HOSTS = 1_000;

/**
 * Hosts of webhooks that let an attempt time out: one attempt at a time finds out whether they answer again, and the others have failed at once,
 * so that they hold up nobody else's (A2A-29).
 */
export class SilentHosts {
  /** Whether an attempt is under way, by host. */
  readonly #probed = new Map<string, boolean>();

  /** Whether an attempt may be made. */
  admit(host: string): boolean {
    const probed = this.#probed.get(host);
    if (probed === false) this.#probed.set(host, true);
    return !probed;
  }

  /** An attempt that was admitted has ended. */
  settle(host: string, timedOut: boolean): void {
    this.#probed.delete(host);
    if (!timedOut) return;
    this.#probed.set(host, false);
    const [oldest] = this.#probed.keys();
    if (this.#probed.size > MOST_SILENT_HOSTS && oldest !== undefined) this.#probed.delete(oldest);
  }
}
