import type { RemoteAgentTool } from "@frontdesk/protos/ces/agent_card";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** The mappings of variables that a tool and an agent have alike: names of the remote agent → names of the app. */
type Mappings = Pick<RemoteAgentTool, "inputVariableMapping" | "outputVariableMapping">;

/** The extension by which agents of a server like this one tell their variables (A2A-11). Others ignore it. */
const VARIABLES_EXTENSION = "urn:frontdesk:a2a:variables:v1";

/** The metadata of a message: the app's variables under the names of the remote agent (TOOL-41). Undefined when it maps none. */
export function inputsOf({ inputVariableMapping }: Mappings, variables: JsonObject): JsonObject | undefined {
  const entries = Object.entries(inputVariableMapping).flatMap(([remote, name]) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined ? [] : [[remote, value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The app's variables from the metadata of an answer; values of extensions count where the metadata has no such name itself. */
export function outputsOf({ outputVariableMapping }: Mappings, metadata: JsonObject): JsonObject {
  const extensions = Object.values(metadata).filter(isJsonObject);
  const find = (name: string): JsonValue | undefined =>
    [metadata, ...extensions].find((each) => Object.hasOwn(each, name))?.[name];
  return Object.fromEntries(
    Object.entries(outputVariableMapping).flatMap(([remote, name]) => {
      const value = find(remote);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Asks for the variables that an answer is to bring. */
export function withExtension(
  fetch: typeof globalThis.fetch,
  { outputVariableMapping }: Mappings,
): typeof globalThis.fetch {
  if (Object.keys(outputVariableMapping).length === 0) return fetch;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.append("A2A-Extensions", VARIABLES_EXTENSION);
    return fetch(input, { ...init, headers });
  };
}
