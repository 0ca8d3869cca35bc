import { readAttackCases } from "./attack-case.ts";
import { openAttacked } from "./open-attacked.ts";
import { tryAttacks } from "./try-attacks.ts";

tryAttacks("hostile code in Deno", () => openAttacked({ runtime: "deno" }), readAttackCases());
