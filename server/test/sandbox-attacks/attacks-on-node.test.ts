import { readAttackCases } from "./attack-case.ts";
import { tryAttacks } from "./try-attacks.ts";

/** Families that try what stands around the interpreter. The weaker host is tried with these; the rest is the same in both. */
const WALL_FAMILIES = ["bridge", "endings", "hanging", "memory", "forged-memory"];

const cases = readAttackCases().filter(({ family }) => WALL_FAMILIES.includes(family));
tryAttacks(
  "node",
  cases.filter((_, index) => index % 4 === 0),
);
