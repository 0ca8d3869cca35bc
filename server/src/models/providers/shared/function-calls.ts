import { createHash } from "node:crypto";
import { type Ids, isJsonObject, type JsonObject, type JsonValue, textOrJson } from "#base";
import type { FunctionDeclaration } from "../../contract.ts";

/** Translates the names of a request's functions to what a provider accepts, and back. */
export interface FunctionNames {
  toProvider(name: string): string;
  fromProvider(name: string): string;
  /** The description of a function, with its own name where the provider gets another: instructions speak of that one (TOOL-60). */
  describe(tool: Pick<FunctionDeclaration, "name" | "description">): string;
}

/** Longest name of a function that OpenAI, Anthropic and Gemini accept, characters. */
const MAX_NAME_LENGTH = 64;
const DIGEST_LENGTH = 8;
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
/** What Gemini accepts: also dots and colons, but a letter or `_` first. */
export const GEMINI_NAMES = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/**
 * The translation for one request, names of its history included. OpenAI and Anthropic, the default, accept letters, digits, `_` and
 * `-`, 64 at most. Names that already fit, nearly always all, stay as they are.
 */
export function functionNames(tools: readonly FunctionDeclaration[], accepted: RegExp = ACCEPTED): FunctionNames {
  const renamed = new Map<string, string>();
  const original = new Map<string, string>();
  let taken: Set<string> | undefined;
  const toProvider = (name: string): string => {
    if (accepted.test(name)) return name;
    const known = renamed.get(name);
    if (known !== undefined) return known;
    taken ??= new Set(tools.map((tool) => tool.name).filter((other) => accepted.test(other)));
    const fitting = unused(fit(name), taken);
    taken.add(fitting);
    renamed.set(name, fitting);
    original.set(fitting, name);
    return fitting;
  };
  // Declared names come before those of the history, so that they do not depend on it.
  for (const { name } of tools) toProvider(name);
  const describe: FunctionNames["describe"] = ({ name, description }) =>
    toProvider(name) === name
      ? description
      : [description, `Instructions call this '${name}'.`].filter(Boolean).join(" ");
  return { toProvider, fromProvider: (name) => original.get(name) ?? name, describe };
}

function fit(name: string): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").replace(/^(?=[0-9-])/, "_") || "_";
  return plain.length <= MAX_NAME_LENGTH ? plain : shortFunctionName(name);
}

/**
 * A name as providers get it: one that is too long ends in a digest of the whole, so that it is the same in every request (TSET-2).
 */
export function shortFunctionName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").replace(/^(?=[0-9-])/, "_");
  const digest = createHash("sha256").update(name).digest("hex").slice(0, DIGEST_LENGTH);
  return `${plain.slice(0, MAX_NAME_LENGTH - DIGEST_LENGTH - 1)}_${digest}`;
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

/** The arguments of a call as a part has them. */
interface ReadArgs {
  readonly args: JsonObject;
  readonly unreadableArgs?: string;
}

/** The JSON text of arguments that a provider sends as text or, as some servers do, as a value; none is an empty text. */
export function argsText(args: JsonValue | undefined): string {
  if (args === undefined || args === null) return "";
  return textOrJson(args);
}

/** The arguments of a function call from their JSON text, which is kept when it is no JSON object. An empty text is no arguments. */
export function readArgs(text: string): ReadArgs {
  if (text.trim() === "") return { args: {} };
  try {
    const args: unknown = JSON.parse(text);
    return isJsonObject(args) ? { args } : { args: {}, unreadableArgs: text };
  } catch {
    return { args: {}, unreadableArgs: text }; // The engine tells the model.
  }
}
