import { isJsonObject, type JsonObject, once } from "#base";
import type { CallContext, Registry } from "#rpc";
import { ConnectError, challengeOf, toErrorBody, unauthenticated } from "#status";
import { createAppResources } from "./app-resources.ts";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";
import { argumentsOf } from "./method-calls.ts";
import { createConversationPrompts } from "./prompts.ts";
import type { McpAdditions, PromptProvider, ResourceProvider } from "./providers.ts";
import { type Era, finishResult, LEGACY_REVISIONS, MODERN_REVISIONS } from "./revisions.ts";
import { CES, type Surface } from "./surface.ts";
import type { Progress, Tool } from "./tool.ts";
import { createToolCatalog } from "./tool-catalog.ts";
import { createToolListing } from "./tool-listing.ts";
import { errorText } from "./tool-result.ts";
import type { View } from "./view.ts";

/** One request of any transport. */
interface McpRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly era: Era;
  readonly view: View;
  readonly context: CallContext;
  /** Reports progress of a tool call to the client; undefined when it was not requested. */
  readonly progress?: Progress;
}

/**
 * Returns the text of the result of one MCP request. Throws `JsonRpcError` for errors of the protocol, and the `ConnectError` of a
 * caller who is not authenticated, or whose token lacks a scope.
 */
export type McpMethods = (request: McpRequest) => Promise<string>;

/** The methods of MCP over a registry. `version` is that of the product. */
export function createMcpMethods(
  registry: Registry,
  surface: Surface,
  version: string,
  additions: McpAdditions = {},
): McpMethods {
  const serverInfo = { name: "frontdesk", title: surface.title, version };
  const infoText = JSON.stringify(serverInfo);
  const parts = once(() => partsOf(registry, surface, additions));

  const answer = async (request: McpRequest): Promise<string> => {
    const { method, params, era, view, context } = request;
    if (method in ONLY_IN && ONLY_IN[method] !== era) throw notFound(method);
    const { resources, prompts, tools } = parts();
    if (context.caller.kind === "anonymous" && ![...tools.values()].some((tool) => mayUse(tool, context)))
      throw signIn();
    switch (method) {
      case "initialize":
        return JSON.stringify({ ...initialize(params), ...capabilities(resources, prompts), serverInfo });
      case "server/discover":
        return JSON.stringify({ supportedVersions: [...MODERN_REVISIONS], ...capabilities(resources, prompts) });
      case "ping":
        return "{}";
      case "tools/list":
        return parts().listing(view, params.cursor, (tool) => mayUse(tool, context));
      case "tools/call":
        return callTool(toolOf(params, view, parts().tools), request);
      default:
        return callOther(method, params, context);
    }
  };

  const mayUse = ({ methods = [] }: Tool, context: CallContext): boolean =>
    methods.every((called) => registry.permits(called, context));

  const callOther = async (method: string, params: JsonObject, context: CallContext): Promise<string> => {
    const { resources, prompts } = parts();
    try {
      const result =
        (resources && (await answerResources(resources, method, params, context))) ??
        (prompts && (await answerPrompts(prompts, method, params, context)));
      if (result) return JSON.stringify(result);
    } catch (error) {
      throw asProtocolError(error);
    }
    throw notFound(method);
  };

  const capabilities = (resources: unknown, prompts: unknown): JsonObject => ({
    capabilities: {
      tools: {},
      ...(resources !== undefined && { resources: {} }),
      ...(prompts !== undefined && { prompts: {} }),
    },
    instructions: surface.instructions,
  });

  return async (request) => finishResult(request.era, request.method, await answer(request), infoText);
}

/** Methods that only one era has. */
const ONLY_IN: Readonly<Record<string, Era>> = { initialize: "legacy", ping: "legacy", "server/discover": "modern" };

function partsOf(registry: Registry, surface: Surface, additions: McpAdditions) {
  const derived = createToolCatalog(registry, surface);
  const tools = new Map([...derived, ...(additions.tools ?? []).map((tool) => [tool.name, tool] as const)]);
  const own = surface === CES;
  return {
    tools,
    listing: createToolListing([...tools.values()]),
    resources: additions.resources ?? (own ? createAppResources(registry) : undefined),
    prompts: additions.prompts ?? (own ? createConversationPrompts(registry) : undefined),
  };
}

function initialize({ protocolVersion, capabilities }: JsonObject): JsonObject {
  if (capabilities !== undefined && !isJsonObject(capabilities))
    throw new JsonRpcError(JsonRpcCode.invalidParams, "capabilities must be an object.");
  return {
    protocolVersion: LEGACY_REVISIONS.find((candidate) => candidate === protocolVersion) ?? LEGACY_REVISIONS[0] ?? "",
  };
}

/** A tool that the address does not show is not there. */
function toolOf({ name }: JsonObject, { kinds, hostedOnly }: View, tools: ReadonlyMap<string, Tool>): Tool {
  const tool = typeof name === "string" ? tools.get(name) : undefined;
  if (!tool)
    throw new JsonRpcError(
      JsonRpcCode.invalidParams,
      `Unknown tool: ${JSON.stringify(name ?? null)}. See tools/list for the available tools.`,
    );
  if (kinds.has(tool.kind) && (tool.hosted || !hostedOnly)) return tool;
  throw new JsonRpcError(JsonRpcCode.invalidParams, `The tool ${tool.name} is not in the profile of this address.`);
}

async function callTool(tool: Tool, { params, view, context, progress }: McpRequest): Promise<string> {
  try {
    return await tool.call(argumentsOf(params.arguments), { context, dryRun: view.dryRun, progress });
  } catch (error) {
    if (error instanceof ConnectError && challengeOf(error) === undefined) return errorText(error);
    throw error;
  }
}

/** Resources and prompts have no error results: a status error becomes an error of the protocol. */
function asProtocolError(error: unknown): unknown {
  if (!(error instanceof ConnectError) || challengeOf(error) !== undefined) return error;
  return new JsonRpcError(JsonRpcCode.invalidParams, error.rawMessage, toErrorBody(error) as unknown as JsonObject);
}

/** Characters of a resource's address, at most. */
const MAX_ADDRESS = 10_000;

async function answerResources(provider: ResourceProvider, method: string, params: JsonObject, context: CallContext) {
  switch (method) {
    case "resources/list":
      return { ...(await provider.list(cursorOf(params), context)) };
    case "resources/templates/list":
      return { resourceTemplates: [...provider.templates(context)] };
    case "resources/read": {
      const { uri } = params;
      if (typeof uri === "string" && uri.length > MAX_ADDRESS)
        throw new JsonRpcError(
          JsonRpcCode.invalidParams,
          `params.uri has ${uri.length} characters; the limit is ${MAX_ADDRESS}.`,
        );
      const contents = typeof uri === "string" ? await provider.read(uri, context) : undefined;
      if (contents) return { contents: [...contents] };
      throw new JsonRpcError(JsonRpcCode.invalidParams, `Resource not found: ${JSON.stringify(uri ?? null)}.`, {
        uri: uri ?? null,
      });
    }
    default:
      return undefined;
  }
}

async function answerPrompts(provider: PromptProvider, method: string, params: JsonObject, context: CallContext) {
  switch (method) {
    case "prompts/list":
      return { prompts: [...provider.list(context)] };
    case "prompts/get": {
      const { name } = params;
      const prompt =
        typeof name === "string" ? await provider.get(name, argumentsOf(params.arguments), context) : undefined;
      if (prompt) return prompt;
      throw new JsonRpcError(JsonRpcCode.invalidParams, `Unknown prompt: ${JSON.stringify(name ?? null)}.`);
    }
    default:
      return undefined;
  }
}

function cursorOf({ cursor }: JsonObject): string | undefined {
  if (cursor === undefined || typeof cursor === "string") return cursor;
  throw new JsonRpcError(JsonRpcCode.invalidParams, "cursor must be the nextCursor of an earlier response.");
}

/** Who is anonymous and may use nothing, is asked for a token at the first request: then clients let people sign in. */
function signIn(): ConnectError {
  return unauthenticated(
    "Request is missing required authentication credential. Send an access token: 'Authorization: Bearer …'.",
    {
      reason: "CREDENTIALS_MISSING",
    },
  );
}

function notFound(method: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.methodNotFound, `Method not found: ${method}`);
}
