/** Ends a `switch` over a union: a new case becomes a compile error here, and a thrown one if it slips through. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`);
}
