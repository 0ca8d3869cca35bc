import { after, before, describe, it } from "node:test";
import type { AttackCase } from "./attack-case.ts";
import { type AttackedSandbox, AttackRunner } from "./attack-runner.ts";

/** Each case is a test, on a sandbox of its own. */
export function tryAttacks(title: string, open: () => AttackedSandbox, cases: readonly AttackCase[]): void {
  describe(title, () => {
    let runner: AttackRunner;
    before(async () => {
      runner = await AttackRunner.start(open());
    });
    after(() => runner[Symbol.asyncDispose]());

    for (const attack of cases) {
      it(`${attack.family}: ${attack.claim}`, { timeout: 60_000 }, () => runner.attack(attack));
    }
  });
}
