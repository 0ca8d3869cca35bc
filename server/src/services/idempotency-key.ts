import { invalidArgument } from "#status";

/** `Idempotency-Key: …` names a turn: a request that comes again with it gets the same one (WIRE-76, A2A-27). */
const HEADER = "idempotency-key";
const LONGEST = 200;

/** The key of a request; undefined when its client gives none. */
export function idempotencyKey(headers: ReadonlyMap<string, string>): string | undefined {
  const key = headers.get(HEADER);
  if (key === undefined) return undefined;
  if (key === "" || key.length > LONGEST)
    throw invalidArgument({ field: "Idempotency-Key", description: `must have 1 to ${LONGEST} characters` });
  return key;
}
