/** A call that waits for a guest. */
interface Waiting {
  readonly tenant: string;
  readonly group: string;
}

/**
 * Waiting calls, fair between tenants: each tenant has its own line, and the lines take turns, so that a busy app makes
 * only itself wait.
 */
export class CallQueue<Call extends Waiting> {
  // A tenant's line; the Map's order is the order in which tenants are served.
  readonly #lines = new Map<string, Call[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(call: Call): void {
    const line = this.#lines.get(call.tenant);
    if (line) line.push(call);
    else this.#lines.set(call.tenant, [call]);
    this.#size += 1;
  }

  /** The calls of one tenant, oldest first. */
  lineOf(tenant: string): readonly Call[] {
    return this.#lines.get(tenant) ?? [];
  }

  tenants(): Iterable<string> {
    return this.#lines.keys();
  }

  /** The first call that `matches`, of whatever tenant. */
  find(matches: (call: Call) => boolean): Call | undefined {
    for (const line of this.#lines.values()) {
      const call = line.find(matches);
      if (call) return call;
    }
    return undefined;
  }

  /** Takes the first call that `matches`, of whatever tenant. */
  takeMatching(matches: (call: Call) => boolean): Call | undefined {
    const call = this.#size === 0 ? undefined : this.find(matches);
    return call && this.#remove(call);
  }

  /** Takes the first call that `mayStart` of the first tenant in turn that has one; the tenant then goes to the end. */
  take(mayStart: (call: Call) => boolean = () => true): Call | undefined {
    for (const [tenant, line] of this.#lines) {
      const call = line.find(mayStart);
      if (!call) continue;
      this.#remove(call);
      if (this.#lines.delete(tenant) && line.length > 0) this.#lines.set(tenant, line);
      return call;
    }
    return undefined;
  }

  /** Takes a call that nobody waits for any more; false when it was taken before. */
  remove(call: Call): boolean {
    return this.#lines.get(call.tenant)?.includes(call) ? this.#remove(call) !== undefined : false;
  }

  #remove(call: Call): Call {
    const line = this.#lines.get(call.tenant) ?? [];
    line.splice(line.indexOf(call), 1);
    if (line.length === 0) this.#lines.delete(call.tenant);
    this.#size -= 1;
    return call;
  }
}
