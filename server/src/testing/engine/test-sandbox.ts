import { join } from "node:path";
import { createLogger } from "#base";
import { createSandbox, type Sandbox } from "#sandbox";

/** The Python image is built once per checkout. */
export const TEST_CACHE = join(import.meta.dirname, "..", "..", "..", "..", "node_modules", ".cache", "frontdesk");

/** How long the guests outlive their last user, milliseconds: enough for the next test file of the process to begin, on a busy machine too. */
const KEEP_MS = 1_000;

interface Shared {
  readonly sandbox: Sandbox;
  users: number;
  closing: NodeJS.Timeout | undefined;
}

/** The sandbox of this process, while it has users. */
let shared: Shared | undefined;
let names = 0;

/**
 * The real sandbox, because it is part of the product. All users of a process share its guests, which take most of a second of
 * processor time to start and to warm up. No user meets what another left: a guest's memory is restored between tenants, and
 * those of each user are its own. Close it at the end of the file: that ends the user's runs.
 */
export function testSandbox(): Sandbox {
  const { sandbox, release } = borrow();
  const user = `user ${++names} of the test sandbox`;
  const closed = new AbortController();
  return {
    run: (call, options) => {
      const signal = options.signal ? AbortSignal.any([options.signal, closed.signal]) : closed.signal;
      return sandbox.run(call, { ...options, tenant: `${user}: ${options.tenant}`, signal });
    },
    inspect: (code, options) => sandbox.inspect(code, options),
    status: () => sandbox.status(),
    async close() {
      if (closed.signal.aborted) return;
      closed.abort();
      release();
    },
  };
}

function borrow(): { readonly sandbox: Sandbox; release(): void } {
  shared ??= {
    sandbox: createSandbox({
      dataDir: TEST_CACHE,
      cacheDir: TEST_CACHE,
      logger: createLogger("silent"),
      // Each more would be started and warmed up for calls that overlap; what guests do at the same time has tests with sandboxes of their own.
      maxGuests: 1,
    }),
    users: 0,
    closing: undefined,
  };
  const current = shared;
  current.users += 1;
  clearTimeout(current.closing);
  return { sandbox: current.sandbox, release: () => leave(current) };
}

function leave(current: Shared): void {
  current.users -= 1;
  if (current.users > 0) return;
  current.closing = setTimeout(() => {
    shared = undefined;
    void current.sandbox.close();
  }, KEEP_MS);
}
