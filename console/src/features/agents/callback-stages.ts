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
  /** What a new callback begins with: the name and the parameters that the engine asks for. */
  readonly template: string;
}

/** The six, in the order in which a turn comes by them. */
export const CALLBACK_STAGES: readonly CallbackStage[] = [
  {
    property: "beforeAgentCallbacks",
    path: "before_agent_callbacks",
    label: "Before the agent",
    when: "Runs when the agent is given the turn. Content that it returns is the answer, and the agent does not run.",
    template: `def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    return None
`,
  },
  {
    property: "beforeModelCallbacks",
    path: "before_model_callbacks",
    label: "Before the model",
    when: "Runs before each call of the model and may change the request. A response that it returns takes the model's place.",
    template: `def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:
    return None
`,
  },
  {
    property: "afterModelCallbacks",
    path: "after_model_callbacks",
    label: "After the model",
    when: "Runs with what the model answered. A response that it returns takes the answer's place.",
    template: `def after_model_callback(callback_context: CallbackContext, llm_response: LlmResponse) -> Optional[LlmResponse]:
    return None
`,
  },
  {
    property: "beforeToolCallbacks",
    path: "before_tool_callbacks",
    label: "Before a tool",
    when: "Runs before each call of a tool. A dict that it returns is the result, and the tool does not run.",
    template: `def before_tool_callback(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict[str, Any]]:
    return None
`,
  },
  {
    property: "afterToolCallbacks",
    path: "after_tool_callbacks",
    label: "After a tool",
    when: "Runs with a tool's result. A dict that it returns takes the result's place.",
    template: `def after_tool_callback(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext, tool_response: dict[str, Any]
) -> Optional[dict[str, Any]]:
    return None
`,
  },
  {
    property: "afterAgentCallbacks",
    path: "after_agent_callbacks",
    label: "After the agent",
    when: "Runs when the agent is done. Content that it returns takes the place of what the agent said.",
    template: `def after_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    return None
`,
  },
];
