// What the server uses and Node 22 lacks: parts of the language that Node 24 has. A checkout always runs on Node 24; the installed package also
// runs on 22.19 and newer.

type Disposal = () => unknown;

/** Runs what was deferred in reverse order; `move` hands it on. The first error is thrown after all have run. */
class DeferredDisposals implements AsyncDisposable {
  #disposals: Disposal[] = [];

  defer(disposal: Disposal): void {
    this.#disposals.push(disposal);
  }

  move(): DeferredDisposals {
    const moved = new DeferredDisposals();
    moved.#disposals = this.#disposals.splice(0);
    return moved;
  }

  async disposeAsync(): Promise<void> {
    const faults: unknown[] = [];
    for (const disposal of this.#disposals.splice(0).reverse()) {
      try {
        await disposal();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

/** Every character but letters, digits and `_` as its code, so that none has a meaning in a pattern; the first one always. */
function escapePattern(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/^[A-Za-z0-9]|[^\p{L}\p{N}_]/gu, (found) => found.split("").map(escaped).join(""));
}

const globals = globalThis as { AsyncDisposableStack?: unknown };
globals.AsyncDisposableStack ??= DeferredDisposals;
const patterns = RegExp as { escape?: (text: string) => string };
patterns.escape ??= escapePattern;
