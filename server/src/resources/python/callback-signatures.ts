/**
 * A parameter of an entry point: its documented name and the allowed annotations (compared without spaces, quotes and module prefix);
 * empty = any annotation.
 */
interface EntryPointParameter {
  readonly name: string;
  readonly annotations: readonly string[];
}

/** A Python function that the engine calls by a fixed name. */
export interface EntryPointSignature {
  readonly name: string;
  readonly parameters: readonly EntryPointParameter[];
}

const CONTEXT: EntryPointParameter = { name: "callback_context", annotations: ["CallbackContext"] };
const REQUEST: EntryPointParameter = { name: "llm_request", annotations: ["LlmRequest"] };
const RESPONSE: EntryPointParameter = { name: "llm_response", annotations: ["LlmResponse"] };
const TOOL: EntryPointParameter = { name: "tool", annotations: ["Tool"] };
const INPUT: EntryPointParameter = { name: "input", annotations: ["dict", "Dict"] };
const TOOL_RESPONSE: EntryPointParameter = { name: "tool_response", annotations: ["dict", "Dict"] };

/** The six callbacks of an agent by the field that lists them (CB-2, CB-3). Arguments are passed by position. */
export const CALLBACKS = {
  before_agent_callbacks: { name: "before_agent_callback", parameters: [CONTEXT] },
  after_agent_callbacks: { name: "after_agent_callback", parameters: [CONTEXT] },
  before_model_callbacks: { name: "before_model_callback", parameters: [CONTEXT, REQUEST] },
  after_model_callbacks: { name: "after_model_callback", parameters: [CONTEXT, RESPONSE] },
  before_tool_callbacks: { name: "before_tool_callback", parameters: [TOOL, INPUT, CONTEXT] },
  after_tool_callbacks: { name: "after_tool_callback", parameters: [TOOL, INPUT, CONTEXT, TOOL_RESPONSE] },
} as const satisfies Readonly<Record<string, EntryPointSignature>>;

/** The condition of a deterministic transfer (CB-17). Live apps name the parameter freely. */
export const TRANSFER_CONDITION: EntryPointSignature = {
  name: "should_trigger_transfer_callback",
  parameters: [CONTEXT],
};

/** The function that replaces all real tool calls (CB-18). */
export const TOOL_FAKE: EntryPointSignature = { name: "fake_tool_call", parameters: [TOOL, INPUT, CONTEXT] };

/** A widget's data mapping: one function of any name that makes the widget's input of the source tool's output (widget_tool.proto). */
export function mappingOf(name: string): EntryPointSignature {
  return { name, parameters: [{ name: "output", annotations: [] }] };
}
