import { readAttackCases } from "./attack-case.ts";
import { openAttacked } from "./open-attacked.ts";
import { tryAttacks } from "./try-attacks.ts";

/** Families that attack the guest process. The weaker runtime is tried with these; the rest is the same in both. */
const PROCESS_FAMILIES = ["bridge", "endings", "hanging", "memory", "forged-memory"];

const cases = readAttackCases().filter(({ family }) => PROCESS_FAMILIES.includes(family));
tryAttacks(
  "hostile code in Node",
  () => openAttacked({ runtime: "node" }),
  cases.filter((_, index) => index % 4 === 0),
);
