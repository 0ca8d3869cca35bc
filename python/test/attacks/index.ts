/** The attacks' harness, for embedders: it runs hostile programs against a sandbox with their own program in it. */
export { readAttackCases } from "./attack-case.ts";
export type { AttackedSandbox } from "./attack-runner.ts";
export { tenantProbe } from "./tenant-probe.ts";
export { tryAttacks } from "./try-attacks.ts";
