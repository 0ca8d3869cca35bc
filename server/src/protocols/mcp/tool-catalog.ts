import type { RegisteredMethod, Registry } from "#rpc";
import { INTERNAL_REVISION, revisionOf } from "#rpc";
import { HOSTED_TOOLS, toolNameOf } from "./hosted-tools.ts";
import { createMcpOnlyTools } from "./mcp-only-tools.ts";
import { createMethodCalls } from "./method-calls.ts";
import { createMethodTool } from "./method-tool.ts";
import { createNameFormats } from "./resource-patterns.ts";
import { createChatTool } from "./stream-tool.ts";
import { CES, type Surface } from "./surface.ts";
import type { Tool } from "./tool.ts";

/** The tools by name, in the order of `tools/list`. */
type ToolCatalog = ReadonlyMap<string, Tool>;

/** Methods without a tool: they return credentials, or another tool does the same with simpler arguments. */
const EXCLUDED: ReadonlySet<string> = new Set(["GenerateChatToken", "RunEvaluation", "GetIamPolicy", "SetIamPolicy"]);

/** Creates the tools of a surface from its implemented methods: the hosted ones in their order, then those that only this server has. */
export function createToolCatalog(registry: Registry, surface: Surface): ToolCatalog {
  const calls = createMethodCalls(registry);
  const deps = { calls, formats: createNameFormats(registry.types) };
  const methods = registry.methods.filter((method) => isEligible(method, surface));
  const hosted = new Set(surface === CES ? HOSTED_TOOLS : []);
  const special = surface === CES ? createMcpOnlyTools(methods, calls) : [];
  const derived = methods
    .filter(({ method }) => !EXCLUDED.has(method.name) && !hasSyncVariant(method.name, methods))
    .flatMap((method): readonly Tool[] => {
      const name = toolNameOf(method.method.name.replace(/Sync$/, ""));
      if (method.method.methodKind === "unary") return [createMethodTool(name, method, hosted.has(name), deps)];
      return method.method.methodKind === "server_streaming" && !method.method.name.startsWith("Stream")
        ? [createChatTool(name, method, { ...deps, registry })]
        : [];
    });
  const byName = new Map([...derived, ...special].map((tool) => [tool.name, tool]));
  const known = [...hosted].flatMap((name) => byName.get(name) ?? []);
  const own = [...byName.values()].filter((tool) => !hosted.has(tool.name)).sort((a, b) => rank(a) - rank(b));
  return new Map([...known, ...own].map((tool) => [tool.name, tool]));
}

/** Operations come last, wherever their service is registered. */
function rank({ name }: Tool): number {
  return /_operations?$/.test(name) ? 1 : 0;
}

/** A long-running method has no tool when its `…Sync` variant, which returns the result itself, has one. */
function hasSyncVariant(name: string, methods: readonly RegisteredMethod[]): boolean {
  return methods.some(({ method }) => method.name === `${name}Sync`);
}

/** Methods of the surface's services, and those of the operations mixin. */
function isEligible({ method, revision, implemented }: RegisteredMethod, surface: Surface): boolean {
  const ours = method.parent.typeName.startsWith(`${surface.package}.`);
  const mixin = revisionOf(method.parent) === undefined && OPERATIONS.has(method.name);
  return (ours || mixin) && implemented && revision === INTERNAL_REVISION;
}

const OPERATIONS: ReadonlySet<string> = new Set(["GetOperation", "ListOperations", "CancelOperation", "WaitOperation"]);
