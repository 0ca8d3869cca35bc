import { readAttackCases } from "./attack-case.ts";
import { tryAttacks } from "./try-attacks.ts";

tryAttacks("deno", readAttackCases());
