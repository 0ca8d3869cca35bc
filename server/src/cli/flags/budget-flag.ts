import type { BudgetLimits } from "#app";
import { CommandError } from "../command.ts";

const LIMITS = ["calls", "tokens", "dollars", "minutes"] as const;

/** `calls=500,dollars=2.5` as limits of a run. Throws CommandError that names the fault. */
export function parseBudget(text: string | undefined): BudgetLimits {
  const limits: Partial<Record<(typeof LIMITS)[number], number>> = {};
  for (const part of text?.split(",") ?? []) {
    const [name = "", value = ""] = part.split("=").map((piece) => piece.trim());
    const limit = LIMITS.find((known) => known === name);
    if (!limit)
      throw new CommandError(
        `--budget has '${part.trim()}'; write ${LIMITS.map((known) => `${known}=<number>`).join(", ")}.`,
      );
    const number = Number(value);
    if (value === "" || !(number > 0) || !Number.isFinite(number))
      throw new CommandError(`--budget has '${part.trim()}', which is no number above 0.`);
    limits[limit] = number;
  }
  return limits;
}
