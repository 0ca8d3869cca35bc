import { type Ids, isJsonObject, type JsonObject } from "#base";
import type { FunctionDeclaration } from "../../contract.ts";

/** Translates the names of a request's functions to what a provider accepts, and back. */
export interface FunctionNames {
  toProvider(name: string): string;
  fromProvider(name: string): string;
}

const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
/** What Gemini accepts: also dots and colons, but a letter or `_` first. */
export const GEMINI_NAMES = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const UNCHANGED: FunctionNames = { toProvider: (name) => name, fromProvider: (name) => name };

/**
 * The translation for one request. OpenAI and Anthropic, the default, accept letters, digits, `_` and
 * `-`, 64 at most. Names that already fit, nearly always all, stay as they are.
 */
export function functionNames(tools: readonly FunctionDeclaration[], accepted: RegExp = ACCEPTED): FunctionNames {
  if (tools.every(({ name }) => accepted.test(name))) return UNCHANGED;
  const taken = new Set(tools.map(({ name }) => name).filter((name) => accepted.test(name)));
  const renamed = new Map<string, string>();
  for (const { name } of tools) {
    if (taken.has(name) || renamed.has(name)) continue;
    const fitting = unused(fit(name), taken);
    taken.add(fitting);
    renamed.set(name, fitting);
  }
  const original = new Map([...renamed].map(([name, fitting]) => [fitting, name]));
  return {
    toProvider: (name) => renamed.get(name) ?? (accepted.test(name) ? name : fit(name)),
    fromProvider: (name) => original.get(name) ?? name,
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

const PREFIX = "adk-";

/** An id for a function call that came without one; the hosted product's look the same (TOOL-3). */
export function newCallId(ids: Ids): string {
  return PREFIX + ids.uuid();
}

/** Whether an id is one of ours, which no provider knows. */
export function isOwnCallId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** The arguments of a function call from their JSON text; `undefined` when it is no JSON object. An empty text is no arguments. */
export function parseArgs(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  try {
    const args: unknown = JSON.parse(text);
    return isJsonObject(args) ? args : undefined;
  } catch {
    return undefined; // The caller ends the answer as malformed.
  }
}
