import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { idOf } from "#aip";

/**
 * The tools that every app has without creating them, by their fixed names (TOOL-8). Agents list the ones they may use;
 * no other tool can have these names.
 */
const SYSTEM_TOOLS: ReadonlyMap<string, string> = new Map([
  ["end_session", "Ends the session, with a reason and, if the caller needs a person, as an escalation."],
  ["transfer_to_agent", "Hands the conversation over to another agent."],
  ["customize_response", "Says a text with its own settings for interruption and keypad input. Voice only."],
]);

/** Whether an id or display name belongs to a system tool. */
export function isSystemToolName(name: string): boolean {
  return SYSTEM_TOOLS.has(name);
}

/** The system tools of an app, as ListTools shows them on request. */
export function systemToolsOf(app: string): readonly Tool[] {
  return [...SYSTEM_TOOLS].map(([name, description]) =>
    create(ToolSchema, {
      name: `${app}/tools/${name}`,
      displayName: name,
      toolType: { case: "systemTool", value: { name, description } },
    }),
  );
}

/** The one stored form of a reference to a tool: a bare system tool name becomes a resource name of the app. */
export function fullToolName(app: string, tool: string): string {
  return isSystemToolName(tool) ? `${app}/tools/${tool}` : tool;
}

/** Whether a resource name is a system tool of this app. */
export function isSystemTool(app: string, name: string): boolean {
  return name === `${app}/tools/${idOf(name)}` && isSystemToolName(idOf(name));
}
