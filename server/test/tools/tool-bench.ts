import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { createEgress, createLogger, definedFields, type JsonObject, systemClock } from "#base";
import type { GoogleIdentity } from "#google";
import { createOutbound, type Outbound, type OutboundConfig, type OutboundDeps } from "#outbound";
import { createTools, type ToolContext, type ToolOutcome, type Tools } from "#tools";

export const APP = "projects/shop/locations/us/apps/desk";

/** Tools over a real gate that lets loopback through. */
export interface ToolBench extends AsyncDisposable {
  readonly tools: Tools;
  readonly outbound: Outbound;
  /** Runs a tool outside any session. */
  run(tool: Tool, args: JsonObject, more?: Partial<ToolContext>): Promise<ToolOutcome>;
  /** Opens a toolset and answers the tool of an id. */
  member(toolset: Toolset, toolId: string): Promise<Tool>;
}

export interface ToolBenchOptions {
  readonly allow?: readonly string[];
  readonly config?: Partial<OutboundConfig>;
  /** Secrets by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly google?: GoogleIdentity;
  readonly securitySettings?: OutboundDeps["securitySettings"];
  readonly now?: () => number;
}

/** Opens a bench. */
export function openToolBench(options: ToolBenchOptions = {}): ToolBench {
  const { allow = ["127.0.0.1", "localhost"], config, secrets = {}, google, securitySettings, now } = options;
  const egress = createEgress({ allowedPrivateHosts: allow });
  const logger = createLogger("silent");
  const clock = now ? { now } : systemClock;
  const outbound = createOutbound({
    egress,
    clock,
    logger,
    config: {
      secrets: {
        environment: Object.fromEntries(Object.keys(secrets).map((name) => [name, name])),
        variable: (name) => secrets[name],
        files: {},
        secretManager: false,
      },
      grants: [{ credentials: ["*"], apps: ["*"], hosts: ["*"] }],
      serviceDirectory: {},
      perimeter: false,
      withoutGoogleToken: [],
      ...config,
    },
    ...definedFields({ google, securitySettings }),
  });
  const noPython = () => Promise.reject(new Error("this bench runs no Python"));
  const tools = createTools({ sandbox: { run: noPython, inspect: noPython }, egress, outbound, clock, logger });
  return {
    tools,
    outbound,
    run: (tool, args, more) => tools.execute(tool, { id: "1", name: tool.displayName, args }, contextOf(more)),
    member: async (toolset, toolId) => {
      const { signal } = new AbortController();
      const members = await tools.open(toolset, { app: APP, variables: {}, signal });
      const found = members.find((member) => member.toolId === toolId);
      if (!found) throw new Error(`no tool ${toolId} among ${members.map((member) => member.toolId).join(", ")}`);
      return found.tool;
    },
    [Symbol.asyncDispose]: async () => {
      await outbound.close();
      await egress.close();
    },
  };
}

/** What a tool outside any session knows. */
export function contextOf(more: Partial<ToolContext> = {}, state: JsonObject = {}): ToolContext {
  return {
    app: APP,
    turn: `${APP}/sessions/s1#3`,
    python: { invocationId: "i", agentName: "Root", sessionId: "s1", state, userContent: null, events: [] },
    appTools: new Map(),
    useFakes: false,
    depth: 0,
    signal: new AbortController().signal,
    ...more,
  };
}

/** A toolset of a document. */
export function openApiToolset(document: object | string, more: object = {}): Toolset {
  const openApiSchema = typeof document === "string" ? document : JSON.stringify(document);
  return create(ToolsetSchema, {
    name: `${APP}/toolsets/shop`,
    displayName: "shop-api",
    toolsetType: { case: "openApiToolset", value: { openApiSchema, ...more } },
  } as MessageInitShape<typeof ToolsetSchema>);
}

/** A tool of a document. */
export function openApiTool(document: object | string, more: object = {}, tool: object = {}): Tool {
  const openApiSchema = typeof document === "string" ? document : JSON.stringify(document);
  return create(ToolSchema, {
    name: `${APP}/tools/one`,
    displayName: "one",
    toolType: { case: "openApiTool", value: { openApiSchema, ...more } },
    ...tool,
  } as MessageInitShape<typeof ToolSchema>);
}

/** A document with one server. */
export function documentOf(url: string, paths: object, more: object = {}): object {
  return { openapi: "3.1.0", info: { title: "Shop", version: "1" }, servers: [{ url }], paths, ...more };
}
