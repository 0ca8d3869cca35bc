import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files by path. `undefined` in changes = the clean app's file is left out. */
type Files = Readonly<Record<string, string>>;
export type Changes = Readonly<Record<string, string | undefined>>;

/** A JSON file's text. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

export const APP = {
  name: "shop",
  displayName: "Shop",
  rootAgent: "Root",
  globalInstruction: "global_instruction.txt",
  variableDeclarations: [
    { name: "order_id", description: "An order.", schema: { type: "STRING" } },
    { name: "count", description: "Calls.", schema: { type: "NUMBER" } },
    { name: "customer", description: "Who.", schema: { type: "OBJECT", properties: { email: { type: "STRING" } } } },
  ],
};

export const ROOT = {
  name: "root",
  displayName: "Root",
  instruction: "agents/Root/instruction.txt",
  tools: ["end_session", "look_up"],
  childAgents: ["Helper"],
  beforeModelCallbacks: [{ pythonCode: "agents/Root/before_model_callbacks/before_model_callbacks_01/python_code.py" }],
};

const HELPER = { name: "helper", displayName: "Helper", instruction: "agents/Helper/instruction.txt" };

export const LOOK_UP = {
  name: "look_up",
  pythonFunction: {
    name: "look_up",
    pythonCode: "tools/look_up/python_function/python_code.py",
    description: "Looks up an order.",
  },
  displayName: "look_up",
};

export const INSTRUCTION = `<role>You look up orders.</role>
<persona>Brief.</persona>
<taskflow>
<subtask name="Orders">
<step name="Look up"><trigger>The customer asks for an order.</trigger>
<action>Call {@TOOL: look_up} for {order_id}. Transfer to {@AGENT: Helper}. Then call {@TOOL: end_session}.</action></step>
</subtask>
</taskflow>
`;

export const CALLBACK_FILE = "agents/Root/before_model_callbacks/before_model_callbacks_01/python_code.py";
export const TOOL_FILE = "tools/look_up/python_function/python_code.py";

export const CALLBACK = `from typing import Optional


def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:
    callback_context.state["count"] = 1
    return None
`;

export const TOOL = `def look_up(order_id: str) -> dict:
    """Looks up an order."""
    if not order_id:
        return {"error": "no id", "agent_action": "Ask for the number."}
    return {"status": "shipped"}
`;

/** An app about which no rule has anything to say. */
export const CLEAN: Files = {
  "app.json": json(APP),
  "global_instruction.txt": "Today is {current_date}.",
  "agents/Root/Root.json": json(ROOT),
  "agents/Root/instruction.txt": INSTRUCTION,
  [CALLBACK_FILE]: CALLBACK,
  "agents/Helper/Helper.json": json(HELPER),
  "agents/Helper/instruction.txt": INSTRUCTION.replace(/Call .* end_session\}\./, "Help."),
  "tools/look_up/look_up.json": json(LOOK_UP),
  [TOOL_FILE]: TOOL,
};

/** Writes the clean app with changes to a folder of its own, and deletes it afterwards. */
export async function withFolder<T>(changes: Changes, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-lint-test-"));
  try {
    for (const [path, text] of Object.entries({ ...CLEAN, ...changes })) {
      if (text === undefined) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
