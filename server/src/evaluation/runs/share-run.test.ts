import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Logger } from "#base";
import type { Replica } from "#storage";
import type { RunDeps } from "./execute-run.ts";
import { shareRuns } from "./share-run.ts";

const RUN = "projects/p/locations/us/apps/a/evaluationRuns/r";

/** A replica that can tell nobody anything. */
const MUTE: Replica = {
  id: "mute",
  clockFault: () => undefined,
  tell: () => Promise.reject(new Error("the database is away")),
  subscribe: () => {},
  announce: async () => {},
  isAlive: async () => true,
  exclusively: async (_name, work) => {
    await work();
    return true;
  },
};

describe("a run whose servers cannot be told anything (EVAL-91)", () => {
  it("ends as it would, and the log says why the others were not told", async () => {
    const lines: string[] = [];
    const logger = { error: (_facts: object, line: string) => lines.push(line) } as unknown as Logger;
    const sharing = shareRuns(MUTE, { logger } as RunDeps);
    const cases = sharing.share(RUN, undefined);
    await cases.end();
    assert.deepEqual(lines, [
      "other servers could not be asked to run cases",
      "other servers could not be notified that a run has ended",
    ]);
    await sharing.close();
  });
});
