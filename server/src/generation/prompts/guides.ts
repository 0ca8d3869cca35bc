/** How instructions are written, as the linter wants them. */
export const INSTRUCTION_GUIDE = `An agent's instruction is XML-like text with these parts, in this order:
<role>who the agent is, one sentence</role>
<persona>how it talks</persona>
<primary_goal>what a finished conversation has reached</primary_goal>
<constraints>numbered rules</constraints>
<taskflow>
  <subtask name="...">
    <step name="...">
      <trigger>when the step applies, said positively</trigger>
      <action>what to do, with {@TOOL: tool_name} for a tool, {@AGENT: Agent name} for a transfer, {variable_name} for a variable</action>
    </step>
  </subtask>
</taskflow>
Reference tools only if the agent lists them, and mention each tool that it lists. Reference agents by their exact names. Use only declared
variables; {current_date} is always there and belongs into the global instruction. No IF/ELSE chains, no state machines in prose, no prices or
phone numbers: such facts belong into tools. Every agent that a user can end with lists end_session and has a step that calls {@TOOL: end_session}.
An agent with child agents transfers to them; each agent has one parent.`;

/** How Python is written. */
export const PYTHON_GUIDE = `A tool is one Python function with the tool's name in snake_case, with type hints, and with a docstring whose first line says what it does and
whose "Args:" section describes each argument. Arguments are plain: str, int, float, bool, list, dict; an optional one has an empty value of its type as
default, never None. It returns a dict. An error is {"error": "...", "agent_action": "what the agent should say or do"}. Data is in module-level
constants. Only the standard library, no network, no files, no environment. Variables are read and written with context.state["name"].
Callbacks are functions with exactly these signatures; each may return None to change nothing:
before_agent_callback(callback_context: CallbackContext) -> Optional[Content]
after_agent_callback(callback_context: CallbackContext) -> Optional[Content]
before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]
after_model_callback(callback_context: CallbackContext, llm_response: LlmResponse) -> Optional[LlmResponse]
before_tool_callback(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict[str, Any]]
after_tool_callback(tool: Tool, input: dict[str, Any], callback_context: CallbackContext, tool_response: dict) -> Optional[dict]
with "from typing import Any, Optional" at the top. Write callbacks only where an instruction cannot do it.`;

/** How evaluations are written. */
export const EVALUATION_GUIDE = `A golden is a conversation with what must happen in each turn: transfers, tool calls with the arguments that must be equal, and the answer. Use match
"contains" with a short fact that must be said (a number, a date, a name) where there is one, and "meaning" otherwise. List every tool call of a
turn, end_session included. Tools run for real, so arguments must be ones that the tool's own data answers. A scenario is a task for a simulated user,
with facts that only this user knows and rubrics by which the agent is judged.`;

/** What an answer may do to the app, for every prompt that changes one. */
export const CHANGES_GUIDE = `Answer with JSON. Agents, tools and variables in your answer are whole and replace those of the same name; what you leave out stays as it is. Use
"remove" only for what you wrote yourself. In "explanation" tell the author in a few sentences what you made or changed, and why. You cannot write guardrails,
toolsets, transfer rules, connections, models or channels: where the task asks for one, name in "explanation" what the author has to add.`;
