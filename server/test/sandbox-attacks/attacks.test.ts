import { after, before, describe, it } from "node:test";
import { readAttackCases } from "./attack-case.ts";
import { AttackRunner } from "./attack-runner.ts";

/** Families that try what stands around the interpreter. The weaker host is tried with these; the rest is the same in both. */
const WALL_FAMILIES = ["bridge", "endings", "hanging", "memory", "forged-memory"];

const cases = readAttackCases();

for (const [host, chosen] of [
  ["deno", cases],
  ["node", cases.filter(({ family }) => WALL_FAMILIES.includes(family)).filter((_, index) => index % 4 === 0)],
] as const) {
  describe(`hostile code in the sandbox (${host})`, () => {
    let runner: AttackRunner;
    before(async () => {
      runner = await AttackRunner.start({ host });
    });
    after(() => runner[Symbol.asyncDispose]());

    for (const attack of chosen) {
      it(`${attack.family}: ${attack.claim}`, { timeout: 60_000 }, () => runner.attack(attack));
    }
  });
}
