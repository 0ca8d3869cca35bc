import type { Config } from "../config.ts";
import { checkAuditFile, checkData, checkDatabase, checkLastUse } from "./check-data.ts";
import { checkModels } from "./check-models.ts";
import { checkPort } from "./check-port.ts";
import { checkEgress, checkNode, checkVariables } from "./check-process.ts";
import { checkPython } from "./check-python.ts";
import { checkTls } from "./check-tls.ts";
import { checkSearch, checkSecrets } from "./check-tools.ts";
import { checkWarehouse } from "./check-warehouse.ts";
import type { ClockOffsets, Finding } from "./finding.ts";

/**
 * Looks at everything that a server of these settings needs, and changes nothing but what can be built again (the image of Python). A check that fails in a way
 * that nobody thought of is a fault, and the others go on.
 */
export async function examine(config: Config, offsets: ClockOffsets = []): Promise<readonly Finding[]> {
  const checks: readonly [name: string, check: () => Promise<readonly Finding[]>][] = [
    ["node", async () => [checkNode()]],
    ["environment", async () => checkVariables(config)],
    ["port", async () => [await checkPort(config)]],
    ["tls", () => checkTls(config)],
    ["data folder", async () => [await checkData(config)]],
    ["database", async () => [await checkDatabase(config)]],
    ["last use", () => checkLastUse(config)],
    ["audit file", () => checkAuditFile(config)],
    ["models", () => checkModels(config, offsets)],
    ["python", async () => [await checkPython(config)]],
    ["data", () => checkWarehouse(config)],
    ["egress", async () => [checkEgress(config)]],
    ["secrets", () => checkSecrets(config)],
    ["search", () => checkSearch(config)],
  ];
  const found: Finding[] = [];
  for (const [name, check] of checks)
    found.push(
      ...(await check().catch((error: Error): Finding[] => [{ name, state: "fault", detail: error.message }])),
    );
  return [...found, clockFinding(offsets)];
}

/** Seconds by which a clock may differ before tokens and certificates are refused. */
const MAX_OFFSET_S = 30;

function clockFinding(offsets: readonly number[]): Finding {
  const name = "clock";
  const [offset] = offsets.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  if (offset === undefined) return { name, state: "ok", detail: "not compared: no server outside was asked" };
  const seconds = Math.round(Math.abs(offset) / 1_000);
  if (seconds <= MAX_OFFSET_S)
    return { name, state: "ok", detail: `within ${Math.max(1, seconds)} s of other servers` };
  const detail = `${seconds} s ${offset > 0 ? "ahead of" : "behind"} other servers`;
  return {
    name,
    state: "warning",
    detail,
    fix: "set the clock of this machine, or run a time service: tokens are refused",
  };
}
