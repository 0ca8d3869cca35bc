import { readAttackCases } from "./attack-case.ts";
import { openAttacked } from "./open-attacked.ts";
import { tryAttacks } from "./try-attacks.ts";

const cases = readAttackCases().filter(({ repeats }) => !repeats);
tryAttacks("hostile code in Deno", () => openAttacked({ runtime: "deno" }), cases);
