import type { Storage } from "#storage";

/** Does work that only one of the servers of a database does at a time, and once in that server; whoever comes meanwhile skips it. */
export type RunExclusively = (name: string, work: () => Promise<void>) => Promise<void>;

/** Where servers share a database, by a lease of it; otherwise in this process alone. */
export function createExclusiveRunner({ replica }: Pick<Storage, "replica">): RunExclusively {
  // Its own lease keeps no server out.
  const running = new Set<string>();
  return async (name, work) => {
    if (running.has(name)) return;
    running.add(name);
    try {
      if (replica) await replica.exclusively(name, work);
      else await work();
    } finally {
      running.delete(name);
    }
  };
}
