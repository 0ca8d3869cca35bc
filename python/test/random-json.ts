/** Whole numbers below a bound, the same for the same seed (a linear congruential generator after Knuth). */
export function generator(seed: number): (bound: number) => number {
  let state = BigInt(seed);
  return (bound) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn;
    return Number(state >> 33n) % bound;
  };
}

const SCALARS = [
  ...["0", "-1", "5.0", "-0.0", "1e+16", "0.1", "1e-07", "150.0", "9007199254740993", "-12345678901234567890"],
  ...['"9"', '"5.0"', '"\\"1\\":2"', '"\\u0000"', '""', "true", "false", "null", "1e+300", "100000000000000000000000"],
];
const KEYS = ["9", "1", "0", "-1", "a", "b", "10", "4294967295", "é", "__proto__", "x y"];

/** JSON text without blanks, as Python's `json.dumps` writes it but for escapes, with what JavaScript would change. */
export function randomJson(next: (bound: number) => number, depth: number): string {
  const kind = depth === 0 ? 0 : next(3);
  if (kind === 0) return SCALARS[next(SCALARS.length)] ?? "null";
  const items = Array.from({ length: next(5) }, () => randomJson(next, depth - 1));
  if (kind === 1) return `[${items.join(",")}]`;
  const keys = new Set(items.map(() => KEYS[next(KEYS.length)]));
  return `{${[...keys].map((key, at) => `${JSON.stringify(key)}:${items[at]}`).join(",")}}`;
}
