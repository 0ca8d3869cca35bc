import { CallFailure } from "./call-failure.ts";

/** A list of numbers as a vector. Throws `CallFailure` for anything else. */
export function toVector(values: unknown): Float32Array {
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === "number"))
    return Float32Array.from(values);
  throw new CallFailure("the answer holds no vector");
}
