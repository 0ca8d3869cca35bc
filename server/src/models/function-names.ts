import type { FunctionDeclaration } from "./contract.ts";

/** Function names as a provider takes them, and back. */
export interface FunctionNames {
  toWire(name: string): string;
  fromWire(name: string): string;
}

const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
/** What Gemini takes: dots and colons, too, but a letter or `_` first. */
export const GEMINI_NAMES = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const AS_THEY_ARE: FunctionNames = { toWire: (name) => name, fromWire: (name) => name };

/**
 * The names of a request's functions as a provider takes them. OpenAI and Anthropic, the default, take letters, digits, `_` and
 * `-`, 64 at most. Names that already fit, nearly always all, stay as they are.
 */
export function functionNames(tools: readonly FunctionDeclaration[], accepted: RegExp = ACCEPTED): FunctionNames {
  if (tools.every(({ name }) => accepted.test(name))) return AS_THEY_ARE;
  const taken = new Set(tools.map(({ name }) => name).filter((name) => accepted.test(name)));
  const wire = new Map<string, string>();
  for (const { name } of tools) {
    if (taken.has(name) || wire.has(name)) continue;
    const fitting = unused(fit(name), taken);
    taken.add(fitting);
    wire.set(name, fitting);
  }
  const back = new Map([...wire].map(([name, fitting]) => [fitting, name]));
  return {
    toWire: (name) => wire.get(name) ?? (accepted.test(name) ? name : fit(name)),
    fromWire: (name) => back.get(name) ?? name,
  };
}

function fit(name: string): string {
  return (
    name
      .replaceAll(/[^a-zA-Z0-9_-]/g, "_")
      .replace(/^(?=[0-9-])/, "_")
      .slice(0, 64) || "_"
  );
}

function unused(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1, candidate = name; ; number += 1) {
    if (!taken.has(candidate)) return candidate;
    candidate = `${name.slice(0, 60)}_${number}`;
  }
}
