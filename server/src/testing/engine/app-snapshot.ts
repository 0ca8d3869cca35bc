import { create, fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { type App, App_VariableDeclarationSchema, AppSchema } from "@frontdesk/protos/ces/app";
import { type AppSnapshot, AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import type { JsonValue } from "#base";

/** The app of the snapshots. */
export const TEST_APP = "projects/p/locations/us/apps/test";

/** A short form of an agent: other agents and tools by display name, callbacks as Python. */
interface AgentSketch {
  readonly instruction?: string;
  readonly description?: string;
  readonly tools?: readonly string[];
  readonly children?: readonly string[];
  readonly beforeAgent?: readonly string[];
  readonly afterAgent?: readonly string[];
  readonly beforeModel?: readonly string[];
  readonly afterModel?: readonly string[];
  readonly beforeTool?: readonly string[];
  readonly afterTool?: readonly string[];
  /** Anything else of the message. */
  readonly more?: MessageInitShape<typeof AgentSchema>;
}

/** A short form of an app. The first agent is the root agent. */
export interface AppSketch {
  readonly agents: Readonly<Record<string, AgentSketch>>;
  /** Python tools by function name. */
  readonly python?: Readonly<Record<string, string>>;
  readonly tools?: readonly MessageInitShape<typeof ToolSchema>[];
  /** Declared variables with their defaults; undefined = declared without one. */
  readonly variables?: Readonly<Record<string, JsonValue | undefined>>;
  readonly app?: MessageInitShape<typeof AppSchema>;
  readonly more?: MessageInitShape<typeof AppSnapshotSchema>;
}

/** The snapshot of a short form. Resource ids are display names. */
export function appSnapshot(sketch: AppSketch): AppSnapshot {
  const { agents, python = {}, tools = [], more } = sketch;
  const allTools = [...Object.entries(python).map(([name, code]) => pythonTool(name, code)), ...tools];
  return create(AppSnapshotSchema, {
    ...more,
    app: appOf(sketch),
    agents: Object.entries(agents).map(([name, agent]) => agentOf(name, agent)),
    tools: allTools.map((tool) => create(ToolSchema, tool)),
  });
}

function appOf({ agents, variables = {}, app }: AppSketch): App {
  const [root = ""] = Object.keys(agents);
  const variableDeclarations = Object.entries(variables).map(([name, value]) =>
    create(App_VariableDeclarationSchema, {
      name,
      schema: value === undefined ? {} : { default: fromJson(ValueSchema, value) },
    }),
  );
  const base = { name: TEST_APP, displayName: "Test", rootAgent: agentName(root), variableDeclarations };
  // Spreading an init over an init gives an init again.
  return create(AppSchema, { ...base, ...app } as MessageInitShape<typeof AppSchema>);
}

/** Resource name of an agent by display name. */
export function agentName(displayName: string): string {
  return `${TEST_APP}/agents/${displayName}`;
}

/** Resource name of a tool by display name. */
export function toolResource(displayName: string): string {
  return `${TEST_APP}/tools/${displayName}`;
}

/** A Python tool whose function has the tool's name. */
function pythonTool(name: string, pythonCode: string): MessageInitShape<typeof ToolSchema> {
  return {
    name: toolResource(name),
    displayName: name,
    toolType: { case: "pythonFunction", value: { name, pythonCode } },
  };
}

function agentOf(name: string, sketch: AgentSketch): Agent {
  const { instruction = "", description = "", tools = [], children = [], more } = sketch;
  const base = {
    name: agentName(name),
    displayName: name,
    instruction,
    description,
    tools: tools.map(toolResource),
    childAgents: children.map(agentName),
    beforeAgentCallbacks: callbacks(sketch.beforeAgent),
    afterAgentCallbacks: callbacks(sketch.afterAgent),
    beforeModelCallbacks: callbacks(sketch.beforeModel),
    afterModelCallbacks: callbacks(sketch.afterModel),
    beforeToolCallbacks: callbacks(sketch.beforeTool),
    afterToolCallbacks: callbacks(sketch.afterTool),
  };
  // Spreading an init over an init gives an init again.
  return create(AgentSchema, { ...base, ...more } as MessageInitShape<typeof AgentSchema>);
}

function callbacks(codes: readonly string[] = []) {
  return codes.map((value) => ({ callback: { case: "pythonCode" as const, value } }));
}
