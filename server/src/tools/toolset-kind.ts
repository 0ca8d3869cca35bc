import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { JsonObject } from "#base";
import type { AppNetwork } from "#outbound";
import type { KindDeps, Problems } from "./tool-kind.ts";

/** A case of `Toolset.toolset_type`. */
export type ToolsetCase = NonNullable<Toolset["toolsetType"]["case"]>;

/** The message that a case holds. */
export type ToolsetDefinition<Case extends ToolsetCase> = Extract<Toolset["toolsetType"], { case: Case }>["value"];

/** What opening a toolset may know. */
export interface ToolsetContext {
  /** App resource name. */
  readonly app: string;
  /** The session's variables, or their defaults. */
  readonly variables: JsonObject;
  readonly settings?: AppNetwork | undefined;
  /** Ask the other side itself: no overrides, no snapshots, nothing kept (`RetrieveTools.bypass_persistence_config`). Default false. */
  readonly bypass?: boolean;
  readonly signal: AbortSignal;
}

/** One tool of a toolset, as its kind found it. Names, time-out, fakes and way of execution are added by the door. */
export interface FoundTool {
  /** What `tool_ids`, `ToolsetTool.tool_id` and the last part of its resource name say: unique in the toolset. */
  readonly toolId: string;
  /** What its name begins to be made of, where that is not the id (a `name_override` of MCP). */
  readonly callableAs?: string;
  /** Listed by RetrieveTools, but not offered to any model. Default false. */
  readonly hidden?: boolean;
  /** The tool in its own type, e.g. an `mcpTool`: what RetrieveTools answers, and what runs like any tool of that type. */
  readonly toolType: Tool["toolType"];
}

/** How the tools of one kind of toolset are found. How they are declared and run is the business of their `ToolKind`. */
export interface ToolsetKind<Case extends ToolsetCase> {
  /**
   * Whether opening asks nobody else, so that it may be done whenever names are needed. A remote toolset is opened when an agent
   * has it, a request names it, or code that is to run writes its prefix.
   */
  readonly local: boolean;
  /** Milliseconds for which what was found is taken for true. Default: as long as the toolset's message lives. */
  readonly freshMs?: number;
  /** Tells sessions apart to whom the other side may offer different tools, e.g. by the values of headers. Default: all alike. */
  audience?(definition: ToolsetDefinition<Case>, context: ToolsetContext): string;
  /** The tools. Rejects with FAILED_PRECONDITION when the definition cannot be opened, with what the agent then goes without. */
  open(
    definition: ToolsetDefinition<Case>,
    toolset: Toolset,
    deps: KindDeps,
    context: ToolsetContext,
  ): Promise<readonly FoundTool[]>;
  /**
   * The toolset with what the other side says of it now in its output-only fields, asked when it is written. Never rejects: a
   * server that is away is told of by `problems`. Default: the toolset as it is.
   */
  settle?(definition: ToolsetDefinition<Case>, toolset: Toolset, deps: KindDeps): Promise<Toolset>;
  /** The ids of its tools, where they are known without asking anyone. Default: they are not. */
  knownToolIds?(definition: ToolsetDefinition<Case>, deps: KindDeps): Promise<readonly string[] | undefined>;
  /** What is misconfigured, one sentence each without a full stop, found without asking anyone. Default: nothing. */
  problems?(definition: ToolsetDefinition<Case>, toolset: Toolset, deps: KindDeps): Problems | Promise<Problems>;
}
