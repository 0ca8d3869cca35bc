import type { Sandbox } from "#sandbox";
import type { FieldViolation } from "#status";
import { locateApp } from "./app/locate-app.ts";
import { readApp } from "./app/read-app.ts";
import type { Place } from "./contract.ts";
import { locatedViolation } from "./rules/package-rules.ts";

/** Why a package cannot be imported, at its place. */
export interface PlacedViolation extends Place {
  /** What is wrong, and where the app has something like it, what could be meant. */
  readonly message: string;
}

/** Finds the places of an import's violations in the folder of the package; files are relative to it. */
export async function locateViolations(
  folder: string,
  violations: readonly FieldViolation[],
  sandbox: Sandbox,
): Promise<readonly PlacedViolation[]> {
  const imported = { violations, warnings: [], validationErrors: [] };
  const app = await readApp(await locateApp(folder), sandbox, { imported, personalData: () => [] });
  return violations.map((violation) => {
    const { place, message } = locatedViolation(app, violation);
    return { ...place, message };
  });
}
