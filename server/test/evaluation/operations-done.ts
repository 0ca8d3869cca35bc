import { setTimeout as delay } from "node:timers/promises";
import type { Rest } from "../rest.ts";

/** Waits until no operation of the location of tests runs any more. */
export async function operationsDone(rest: Rest): Promise<void> {
  for (;;) {
    const { operations = [] } = await rest("GET", "projects/local/locations/us/operations?filter=done%3Dfalse");
    if (operations.length === 0) return;
    await delay(10);
  }
}
