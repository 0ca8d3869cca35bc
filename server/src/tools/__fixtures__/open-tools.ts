import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { createEgress, createLogger, type JsonObject, systemClock } from "#base";
import { createOutbound } from "#outbound";
import type { ToolContext, Tools, ToolsetMember } from "../contract.ts";
import { createTools } from "../create-tools.ts";
import type { ToolDeps } from "../tool-kind.ts";

export const TEST_APP = "projects/p/locations/l/apps/test";

export interface OpenTools extends Tools, AsyncDisposable {}

interface OpenToolsOptions extends Partial<Omit<ToolDeps, "sandbox" | "egress" | "outbound">> {
  /** Private hosts that the operator opened. Default: this machine. */
  readonly allow?: readonly string[];
  /** Secret → value. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Tools over a real egress gate that lets requests reach this machine. They run no Python. */
export function openTools({ allow = ["127.0.0.1", "localhost"], secrets = {}, ...deps }: OpenToolsOptions = {}): OpenTools {
  const sandbox = { run: noPython, inspect: noPython };
  const egress = createEgress({ allowedPrivateHosts: allow });
  const logger = createLogger("silent");
  const names = Object.keys(secrets);
  const outbound = createOutbound({
    egress,
    clock: systemClock,
    logger,
    config: {
      secrets: {
        environment: Object.fromEntries(names.map((name) => [name, name])),
        variable: (name) => secrets[name],
        files: {},
        secretManager: false,
      },
      grants: [{ credentials: ["*"], apps: ["*"], hosts: ["*"] }],
      serviceDirectory: {},
      perimeter: false,
      withoutGoogleToken: [],
    },
  });
  const tools = createTools({ sandbox, egress, outbound, logger, ...deps });
  return {
    ...tools,
    async [Symbol.asyncDispose]() {
      await tools.close();
      await Promise.all([outbound.close(), egress.close()]);
    },
  };
}

function noPython(): Promise<never> {
  return Promise.reject(new Error("No Python runs here"));
}

/** What a call in a session sees. */
export function callContext(state: JsonObject = {}, more: Partial<ToolContext> = {}): ToolContext {
  return {
    app: TEST_APP,
    turn: "turn",
    python: {
      invocationId: "i",
      agentName: "Root",
      sessionId: "session-1",
      state,
      userContent: null,
      events: [],
    },
    appTools: new Map(),
    useFakes: false,
    depth: 0,
    signal: new AbortController().signal,
    ...more,
  };
}

/** What the model sees of one call. */
export async function respond(
  tools: Tools,
  tool: Tool,
  args: JsonObject,
  context: ToolContext = callContext(),
): Promise<JsonObject> {
  const outcome = await tools.execute(tool, { id: "call-1", name: tool.displayName, args }, context);
  return outcome.response;
}

/** The tools of a toolset by their ids, as a session with these variables finds them. */
export async function openMembers(
  tools: Tools,
  toolset: Toolset,
  variables: JsonObject = {},
  bypass = false,
): Promise<ReadonlyMap<string, ToolsetMember["tool"]>> {
  const signal = new AbortController().signal;
  const members = await tools.open(toolset, { app: TEST_APP, variables, bypass, signal });
  return new Map(members.map(({ toolId, tool }) => [toolId, tool]));
}
