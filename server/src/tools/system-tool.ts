import { failedPrecondition } from "#status";
import type { ToolDeclaration } from "./contract.ts";
import { failed } from "./outcomes.ts";
import type { ToolKind } from "./tool-kind.ts";
import { toolName } from "./tool-name.ts";

/** The functions that the engine itself executes (TOOL-8). Their names are reserved. */
type SystemToolName = "end_session" | "transfer_to_agent" | "customize_response";

/** Whether a name is one of the engine's own functions. */
export function isSystemToolName(name: string): name is SystemToolName {
  return Object.hasOwn(DECLARATIONS, name);
}

/** The declaration of a system function. */
export function systemToolDeclaration(name: SystemToolName): ToolDeclaration {
  return DECLARATIONS[name];
}

/** A system tool as a resource that agents list. The engine executes it. */
export const systemTool: ToolKind<"systemTool"> = {
  runs: "engine",
  declare: async (_definition, tool) => {
    const name = toolName(tool);
    if (isSystemToolName(name)) return DECLARATIONS[name];
    throw failedPrecondition(`There is no system tool named '${name}'.`, {
      reason: "SYSTEM_TOOL_UNKNOWN",
      metadata: { tool: tool.name },
    });
  },
  execute: async (_definition, tool) =>
    failed(
      `System tool '${toolName(tool)}' can only be called by an agent in a session; user code returns the Part instead.`,
    ),
};

const DECLARATIONS: Readonly<Record<SystemToolName, ToolDeclaration>> = {
  end_session: {
    name: "end_session",
    description: "Ends the conversation, because the request is done or because a person has to take over.",
    parameters: {
      type: "object",
      properties: {
        reason: { type: "string", description: "Why the conversation ends." },
        session_escalated: {
          type: "boolean",
          description: "True when a person has to take over.",
          default: false,
        },
        params: { type: "object", description: "Further values for the channel that takes over." },
      },
      required: ["reason"],
    },
    tool: "",
    runs: "engine",
  },
  transfer_to_agent: {
    name: "transfer_to_agent",
    description: "Hands the conversation to another agent, which answers from here on.",
    parameters: {
      type: "object",
      properties: { agent_name: { type: "string", description: "Name of the agent that takes over." } },
      required: ["agent_name"],
    },
    tool: "",
    runs: "engine",
  },
  customize_response: {
    name: "customize_response",
    description: "Says something to the user with particular settings for interruption and keypad input.",
    parameters: {
      type: "object",
      properties: {
        content: { type: "string", description: "What is said." },
        disable_barge_in: { type: "boolean", description: "True when the user may not interrupt.", default: false },
        enable_dtmf: { type: "boolean", description: "Whether keypad input is taken. Default: the channel's setting." },
        dtmf_endpointing_timeout_modes: {
          type: "string",
          enum: ["short", "mid", "long"],
          description: "How long to wait for the next key.",
          default: "mid",
        },
        dtmf_finish_digit: { type: "string", description: "The key that ends the input.", default: "" },
      },
      required: ["content"],
    },
    tool: "",
    runs: "engine",
  },
};
