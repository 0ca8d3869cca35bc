/** Who waits for a thread, in one line for each app. The lines take turns, so that a busy app makes only itself wait. */
export class WaitingByApp {
  /** In the order in which apps are served. */
  readonly #lines = new Map<string, (() => void)[]>();

  /** Resolves when it is this call's turn. */
  wait(app: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#lines.get(app);
      if (line) line.push(resolve);
      else this.#lines.set(app, [resolve]);
    });
  }

  /** Lets the first call of the next app go on; false when nobody waits. */
  startNext(): boolean {
    const [next] = this.#lines;
    if (!next) return false;
    const [app, line] = next;
    const start = line.shift();
    this.#lines.delete(app);
    if (line.length > 0) this.#lines.set(app, line);
    start?.();
    return true;
  }
}
