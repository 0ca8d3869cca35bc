import { type AttackCase, readAttackCases } from "./attack-case.ts";
import { openAttacked } from "./open-attacked.ts";
import { tryAttacks } from "./try-attacks.ts";

/** Families that attack the guest process. The weaker runtime is tried with these; the rest is the same in both. */
const PROCESS_FAMILIES = ["bridge", "endings", "hanging", "memory", "forged-memory"];

/** Tries those cases of each family in Node that are chosen. */
export function tryAttacksOnNode(chosen: (ofFamily: readonly AttackCase[]) => readonly AttackCase[]): void {
  const cases = readAttackCases();
  const ofFamilies = PROCESS_FAMILIES.flatMap((name) => chosen(cases.filter(({ family }) => family === name)));
  tryAttacks("hostile code in Node", () => openAttacked({ runtime: "node" }), ofFamilies);
}
