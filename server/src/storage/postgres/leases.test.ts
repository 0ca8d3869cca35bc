import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Statement } from "../engine.ts";
import type { TurnStarts } from "./begin-turns.ts";
import type { Connections } from "./connections.ts";
import { createLeases } from "./leases.ts";
import type { Outages } from "./outages.ts";
import type { OverloadDetector } from "./overload-detector.ts";

/** Leases over a database that answers each question for holders: it has those of the sessions `held-…`. */
function leasesOver(answer: (names: readonly string[]) => void) {
  const query = async ({ parameters = [] }: Statement) => {
    const [names] = parameters as unknown as [readonly string[]];
    answer(names);
    const held = names.filter((name) => name.startsWith("held"));
    const rows = held.map((session) => ({
      session,
      id: `at ${session}`,
      host: "h",
      port: 1,
      sealed_key: new Uint8Array(),
    }));
    return { rows: rows.toReversed() };
  };
  return createLeases({ query } as unknown as Connections, {
    owner: "one",
    starts: {} as TurnStarts,
    outages: { refusal: (error: unknown) => new Error(`refused: ${error}`) } as unknown as Outages,
    fault: () => undefined,
    detector: {} as OverloadDetector,
  });
}

describe("who holds a lease (DB-60)", () => {
  it("is asked once for all turns of the moment, and those that come meanwhile are asked together", async () => {
    const asked: number[] = [];
    const { holder } = leasesOver((names) => asked.push(names.length));
    const first = ["held-1", "free-1", "held-2"].map(holder);
    await Promise.resolve();
    const next = ["held-3", "held-1"].map(holder);
    const ids = (await Promise.all([...first, ...next])).map((found) => found?.id);
    assert.deepEqual(ids, ["at held-1", undefined, "at held-2", "at held-3", "at held-1"]);
    assert.deepEqual(asked, [3, 2]);
  });

  it("is refused to each that asked when the database does not answer", async () => {
    const { holder } = leasesOver(() => {
      throw new Error("gone");
    });
    for (const { status } of await Promise.allSettled(["held-1", "held-2"].map(holder)))
      assert.equal(status, "rejected");
  });
});
