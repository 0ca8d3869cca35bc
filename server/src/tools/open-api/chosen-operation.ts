import type { OpenApiTool } from "@frontdesk/protos/ces/open_api_tool";
import type { OpenApiDocuments } from "./documents.ts";
import type { Operation } from "./operation.ts";

/** The operation of a tool, or why it has none: a sentence without a full stop. */
export type ChosenOperation = { readonly operation: Operation } | { readonly problem: string };

/** The operation that a tool stands for: the only one of its schema, else the one whose id is the tool's name. */
export function chosenOperation(definition: OpenApiTool, documents: OpenApiDocuments): Promise<ChosenOperation> {
  let choice = chosen.get(definition);
  if (!choice) {
    choice = choose(definition, documents);
    chosen.set(definition, choice);
  }
  return choice;
}

/** Says what operation a tool of a toolset stands for, whose document has been read already. Worked out when it is asked for. */
export function rememberOperation(definition: OpenApiTool, read: () => Operation): void {
  const choice = {
    get operation() {
      return read();
    },
  };
  chosen.set(definition, Promise.resolve(choice));
}

const chosen = new WeakMap<OpenApiTool, Promise<ChosenOperation>>();

async function choose(definition: OpenApiTool, documents: OpenApiDocuments): Promise<ChosenOperation> {
  const document = await documents.read(definition);
  if (document.kind === "unreadable") return { problem: document.problem };
  const { operations } = document;
  const [only, another] = operations;
  const named = operations.find(({ id }) => id !== "" && id === definition.name);
  const found = another ? named : only;
  if (found) return { operation: found.read() };
  if (!only) return { problem: "the schema has no operations" };
  const ids = operations.slice(0, 10).map(({ id }) => id || "(none)");
  return {
    problem: `the schema has ${operations.length} operations and none has the operationId '${definition.name}' (it has ${ids.join(", ")}); name one, or make it a toolset`,
  };
}
