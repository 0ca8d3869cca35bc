import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Egress, Logger } from "#base";
import type { Sandbox } from "#sandbox";
import type {
  FailedTool,
  HandedTool,
  ToolCall,
  ToolContext,
  ToolDeclaration,
  ToolOutcome,
  ToolPlace,
  Tools,
} from "./contract.ts";

/** A case of `Tool.tool_type`. */
export type ToolCase = NonNullable<Tool["toolType"]["case"]>;

/** The message that a case holds. */
export type Definition<Case extends ToolCase> = Extract<Tool["toolType"], { case: Case }>["value"];

/** What tool kinds use to do their work. */
export interface ToolDeps {
  readonly sandbox: Pick<Sandbox, "run" | "inspect">;
  readonly egress: Pick<Egress, "fetch">;
  readonly logger: Logger;
}

/** The deps of a kind: `tools` serves nested calls. */
export interface KindDeps extends ToolDeps {
  readonly tools: Tools;
}

/** How one kind of tool is declared to the model, and how it runs. */
export interface ToolKind<Case extends ToolCase> {
  readonly runs: ToolPlace;
  /** Rejects with FAILED_PRECONDITION when the definition cannot be offered. */
  declare(definition: Definition<Case>, tool: Tool, deps: KindDeps): Promise<Omit<ToolDeclaration, "runs" | "tool">>;
  /** For tools of the client. Default: the call as it is. */
  handOff?(
    definition: Definition<Case>,
    tool: Tool,
    call: ToolCall,
    context: ToolContext,
    deps: KindDeps,
  ): Promise<HandedTool | FailedTool>;
  /** Never rejects for what the tool did. */
  execute(
    definition: Definition<Case>,
    tool: Tool,
    call: ToolCall,
    context: ToolContext,
    deps: KindDeps,
  ): Promise<ToolOutcome>;
}
