import type { JsonObject } from "#base";
import { INSIDE, type RegisteredMethod, type Registry, revisionOf } from "#rpc";
import { describeTool } from "./describe.ts";
import { inputSchema } from "./input-schema.ts";
import { createNameFormats } from "./resource-patterns.ts";
import { READ_TOOLS, toolNameOf } from "./tool-names.ts";

/** A registered method as an MCP tool. */
export interface Tool {
  readonly name: string;
  readonly method: RegisteredMethod;
  /** What `tools/list` says of it. */
  readonly listing: JsonObject;
}

/** The tools by name, in listing order. */
export type ToolCatalog = ReadonlyMap<string, Tool>;

/** Makes tools of the implemented methods of the inside revision that only read. */
export function createToolCatalog(registry: Registry): ToolCatalog {
  const methods = new Map(
    registry.methods.filter(isEligible).map((method) => [toolNameOf(method.method.name), method]),
  );
  const formats = createNameFormats(registry.types);
  const tools = READ_TOOLS.flatMap((name): [string, Tool][] => {
    const method = methods.get(name);
    if (!method) return [];
    const description = describeTool(method.method, formats);
    const schema = inputSchema(method.inside.input, formats);
    return [[name, { name, method, listing: { name, description, inputSchema: schema, annotations: READ_ONLY } }]];
  });
  return new Map(tools);
}

const READ_ONLY: JsonObject = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Customer-engagement methods, and `GetOperation` beside them. */
function isEligible({ method, revision, implemented }: RegisteredMethod): boolean {
  const { typeName } = method.parent;
  const ours =
    typeName.startsWith(`google.cloud.ces.${INSIDE}.`) ||
    (revisionOf(method.parent) === undefined && method.name === "GetOperation");
  return ours && implemented && revision === INSIDE && method.methodKind === "unary";
}
