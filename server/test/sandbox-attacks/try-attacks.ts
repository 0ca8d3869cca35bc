import { after, before, describe, it } from "node:test";
import type { AttackCase } from "./attack-case.ts";
import { AttackRunner } from "./attack-runner.ts";

/** Each case is a test, on a sandbox of its own around the given host. */
export function tryAttacks(host: "deno" | "node", cases: readonly AttackCase[]): void {
  describe(`hostile code in the sandbox (${host})`, () => {
    let runner: AttackRunner;
    before(async () => {
      runner = await AttackRunner.start({ host });
    });
    after(() => runner[Symbol.asyncDispose]());

    for (const attack of cases) {
      it(`${attack.family}: ${attack.claim}`, { timeout: 60_000 }, () => runner.attack(attack));
    }
  });
}
