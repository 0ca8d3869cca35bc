/** One of the six moments at which an agent runs code of the app. */
export interface CallbackStage {
  /** The property of `Agent` that lists the callbacks, and its name in the definition. */
  readonly property:
    | "beforeAgentCallbacks"
    | "afterAgentCallbacks"
    | "beforeModelCallbacks"
    | "afterModelCallbacks"
    | "beforeToolCallbacks"
    | "afterToolCallbacks";
  readonly path: string;
  readonly label: string;
  readonly when: string;
  /** The code of a new callback: the name and parameters that the engine requires. */
  readonly template: string;
}

/** The six, in the order in which a turn comes by them. */
export const CALLBACK_STAGES: readonly CallbackStage[] = [
  {
    property: "beforeAgentCallbacks",
    path: "before_agent_callbacks",
    label: "Before agent",
    when: "Runs when the agent takes over the turn. Return content to respond with it and skip the agent.",
    template: `def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    return None
`,
  },
  {
    property: "beforeModelCallbacks",
    path: "before_model_callbacks",
    label: "Before model",
    when: "Runs before each model call and can change the request. Return a response to skip the model.",
    template: `def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:
    return None
`,
  },
  {
    property: "afterModelCallbacks",
    path: "after_model_callbacks",
    label: "After model",
    when: "Runs after each model call. Return a response to replace the model's response.",
    template: `def after_model_callback(callback_context: CallbackContext, llm_response: LlmResponse) -> Optional[LlmResponse]:
    return None
`,
  },
  {
    property: "beforeToolCallbacks",
    path: "before_tool_callbacks",
    label: "Before tool",
    when: "Runs before each tool call. Return a dict to use it as the result and skip the tool.",
    template: `def before_tool_callback(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict[str, Any]]:
    return None
`,
  },
  {
    property: "afterToolCallbacks",
    path: "after_tool_callbacks",
    label: "After tool",
    when: "Runs after each tool call. Return a dict to replace the result.",
    template: `def after_tool_callback(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext, tool_response: dict[str, Any]
) -> Optional[dict[str, Any]]:
    return None
`,
  },
  {
    property: "afterAgentCallbacks",
    path: "after_agent_callbacks",
    label: "After agent",
    when: "Runs when the agent is done. Return content to replace the agent's response.",
    template: `def after_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    return None
`,
  },
];
