import { lastItems, type ProgramInput, type TextList } from "@frontdesk/sealed-python";
import { definedFields, isJsonObject, type JsonObject, type JsonValue, writeJson } from "#base";
import type { JsonList, PythonArgument, PythonCall } from "./contract.ts";

/** The lists of a call that stay with the host: the newest events, then the contents of each request among the arguments. */
export function listsOf({ context, positional = [] }: PythonCall, historyEvents: number): readonly TextList[] {
  const lists = [newest(context.events, historyEvents)];
  for (const argument of positional) {
    const contents = contentsOf(argument);
    if (contents) lists.push(newest(contents, contents.length));
  }
  return lists;
}

/** The contents of a request; undefined for other arguments, and for a request that has none. */
export function contentsOf(argument: PythonArgument): JsonList | undefined {
  if (argument.kind !== "llm-request") return undefined;
  const { contents } = argument.value;
  return argument.contents ?? (Array.isArray(contents) ? contents.filter(isJsonObject) : NO_CONTENTS);
}

const NO_CONTENTS: JsonList = [];

/** What `begin` of the guest program takes: fields, and texts of variables, arguments and lists, which code may never look at. */
export function programInput(
  { context, toolNames, positional = [] }: PythonCall,
  lists: readonly TextList[],
): ProgramInput {
  const tails = lists.map(lastItems);
  let requests = 0;
  return {
    fields: {
      positional: positional.map((argument) => describeArgument(argument, () => ++requests)),
      tools: [...toolNames],
      lists: tails.map(({ first }, at) => [lists[at]?.length ?? 0, first]),
      context: {
        ...context.extra,
        invocation_id: context.invocationId,
        agent_name: context.agentName,
        session_id: context.sessionId,
        user_content: context.userContent,
        ...definedFields({ function_call_id: context.functionCallId }),
      },
    },
    segments: [
      writeJson(context.state),
      ...positional.map(textOf),
      ...tails.map(({ items }) => `[${items.join(",")}]`),
    ],
    lists,
  };
}

function describeArgument(argument: PythonArgument, nextList: () => number): JsonObject {
  const { kind } = argument;
  if (kind === "tool") return { kind, name: argument.name, description: argument.description };
  return kind === "llm-request" ? { kind, contents: nextList() } : { kind };
}

function textOf(argument: PythonArgument): string {
  if (argument.kind !== "llm-request") return "value" in argument ? writeJson(argument.value) : "";
  const contents: JsonValue = [[0, contentsOf(argument)?.length ?? 0]];
  return writeJson({ ...argument.value, contents });
}

function newest(list: JsonList, most: number): TextList {
  const dropped = Math.max(0, list.length - most);
  return { length: list.length - dropped, text: (index) => textOnce(list.at(index + dropped) ?? {}) };
}

/** JSON of what several calls are given: events, contents. Such values never change. */
const texts = new WeakMap<JsonObject, string>();

function textOnce(value: JsonObject): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = writeJson(value);
  texts.set(value, text);
  return text;
}
