import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import type { Names } from "../code-language.ts";
import { STUBS, type Stub, type Stubs } from "./stubs.ts";

const TYPES = {
  class: "class",
  function: "function",
  method: "method",
  property: "property",
  variable: "variable",
} as const;

/** Names that callbacks are called with, and their classes (the signatures of the six callbacks). */
const ARGUMENTS: Readonly<Record<string, string>> = {
  callback_context: "CallbackContext",
  tool_context: "ToolContext",
  llm_request: "LlmRequest",
  llm_response: "LlmResponse",
  tool: "Tool",
  part: "Part",
  content: "Content",
  event: "Event",
  response: "ExternalResponse",
};

/** Completes what the stubs declare, the app's tools after `tools.`, and its variables within `get_variable("`. */
export function completePython(names: () => Names | undefined, stubs: Stubs = STUBS): CompletionSource {
  return (context) => {
    const variable = context.matchBefore(
      /(?:_variable\(|variables\[|state\[|variables\.get\(|state\.get\()\s*["'][\w]*/,
    );
    if (variable) return list(context.pos, variable.text, (names()?.variables ?? []).map(namedOption("variable")));
    const path = context.matchBefore(/[A-Za-z_][\w.[\]()"']*/);
    if (!path || (!context.explicit && path.text.length < 2)) return null;
    const parts = path.text.replace(/\([^()]*\)|\[[^[\]]*\]/g, "").split(".");
    if (parts.length === 1) return list(context.pos, path.text, stubs.globals.map(stubOption));
    const owner = parts.slice(0, -1);
    if (owner.length === 1 && (owner[0] === "tools" || owner[0] === "async_tools"))
      return list(context.pos, path.text, (names()?.tools ?? []).map(namedOption("function")));
    const members = membersOf(owner, stubs);
    return members ? list(context.pos, path.text, members.map(stubOption)) : null;
  };
}

/** The members of what a dotted path leads to, followed from class to class. */
function membersOf([first = "", ...rest]: readonly string[], stubs: Stubs = STUBS): readonly Stub[] | undefined {
  const global = stubs.globals.find(({ name }) => name === first);
  let type: string | undefined = global?.type ?? ARGUMENTS[first];
  for (const name of rest) {
    const known = type === undefined ? undefined : stubs.classes.get(type);
    type = known?.members.find((member) => member.name === name)?.type;
  }
  return type === undefined ? undefined : stubs.classes.get(type)?.members;
}

function list(position: number, before: string, options: readonly Completion[]) {
  const word = /\w*$/.exec(before)?.[0] ?? "";
  return { from: position - word.length, options: [...options], validFor: /^\w*$/ };
}

function stubOption({ name, kind, signature, doc }: Stub): Completion {
  return { label: name, type: TYPES[kind], detail: signature.slice(0, 70), info: doc || undefined };
}

function namedOption(type: string) {
  return ({ name, description }: { name: string; description: string }): Completion => ({
    label: name,
    type,
    info: description || undefined,
  });
}
