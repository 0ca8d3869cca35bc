/** The apps of the benchmark, made over the API: one for each shape of a turn. */
const PARENT = "projects/bench/locations/us";

/** One agent that answers. */
export const PLAIN_APP = `${PARENT}/apps/bench-plain`;
/** Two agents that hand every turn over. */
export const TRANSFER_APP = `${PARENT}/apps/bench-transfer`;
/** One agent that calls a Python tool. */
export const PYTHON_APP = `${PARENT}/apps/bench-python`;
/** One agent with six callbacks around its one model call, and two guardrails. */
export const CALLBACK_APP = `${PARENT}/apps/bench-callbacks`;
/** One agent with six callbacks that read the history; one of them answers in the model's place. */
export const HISTORY_APP = `${PARENT}/apps/bench-history`;
/** One agent that calls a function of the client. */
export const CLIENT_APP = `${PARENT}/apps/bench-client`;

const LOOK_UP_ORDER = `def look_up_order(order_id: str) -> dict:
    """Looks up an order.

    Args:
        order_id: number of the order
    """
    state = context.state
    state["lookups"] = int(state.get("lookups") or 0) + 1
    return {"order_id": order_id, "status": "shipped", "lookups": state["lookups"]}
`;

const COUNT_TURNS = `def before_agent_callback(callback_context):
    callback_context.state["lookups"] = int(callback_context.state.get("lookups") or 0) + 1
`;

const STAY_SILENT = (entry: string, last: string) => `def ${entry}(callback_context${last}):
    return None
`;

const READ_WORDS = `def before_model_callback(callback_context, llm_request):
    last = callback_context.get_last_user_input()
    if last and "goodbye" in (last[0].text or ""):
        return LlmResponse.from_parts([Part.from_text("Goodbye.")])
    return None
`;

const READ_ANSWER = `def after_model_callback(callback_context, llm_response):
    if any("forbidden" in (part.text or "") for part in llm_response.content.parts):
        return LlmResponse.from_parts([Part.from_text("I cannot say that.")])
    return None
`;

const READ_HISTORY = (entry: string, last: string, answer: string) => `def ${entry}(callback_context${last}):
    events = callback_context.events
    newest = [part.text for event in events[-10:] for part in event.parts() if part.text]
    asked = next((event for event in reversed(events) if event.is_user()), None)
    said = callback_context.get_last_user_input()[0].text
    ${answer}
`;

const ANSWER = `words = llm_request.contents[-1].parts[-1].text
    return LlmResponse.from_parts([Part.from_text(f"You said {said}, {words}, after {len(newest)} and {len(llm_request.contents) > 0}.")])`;

/** Creates all apps on the server at `port`. */
export async function createBenchApps(port: number): Promise<void> {
  const make = (method: string, path: string, body: object) => send(port, method, path, body);
  for (const app of [PLAIN_APP, TRANSFER_APP, PYTHON_APP, CALLBACK_APP, HISTORY_APP, CLIENT_APP])
    await createApp(app, make);
  await createAgent(make, PLAIN_APP, "Help desk", { instruction: "MODE-PLAIN. You answer." });
  await createAgent(make, TRANSFER_APP, "Back desk", {
    description: "Answers.",
    instruction: "DESK-BACK. You answer.",
  });
  await createAgent(make, TRANSFER_APP, "Front desk", {
    description: "Greets.",
    instruction: "DESK-FRONT. You pass questions on.",
    childAgents: [`${TRANSFER_APP}/agents/back-desk`],
  });
  await createToolApps(make);
  await createCallbackApp(make);
  await createHistoryApp(make);
}

async function createHistoryApp(make: Make): Promise<void> {
  const read = (entry: string, last = "", answer = "return None") => ({
    pythonCode: READ_HISTORY(entry, last, answer),
  });
  await createAgent(make, HISTORY_APP, "Help desk", {
    instruction: "MODE-PLAIN. You answer.",
    beforeAgentCallbacks: [{ pythonCode: COUNT_TURNS }, read("before_agent_callback")],
    beforeModelCallbacks: [
      read("before_model_callback", ", llm_request"),
      read("before_model_callback", ", llm_request", ANSWER),
    ],
    afterAgentCallbacks: [read("after_agent_callback"), read("after_agent_callback")],
  });
}

async function createToolApps(make: Make): Promise<void> {
  await make("POST", `${PYTHON_APP}/tools?toolId=look-up-order`, {
    pythonFunction: { name: "look_up_order", pythonCode: LOOK_UP_ORDER },
  });
  await createAgent(make, PYTHON_APP, "Order desk", {
    instruction: "MODE-TOOL. You look orders up.",
    tools: [`${PYTHON_APP}/tools/look-up-order`],
  });
  const parameters = { type: "OBJECT", properties: { order_id: { type: "STRING" } } };
  await make("POST", `${CLIENT_APP}/tools?toolId=look-up-order`, {
    clientFunction: { name: "look_up_order", description: "Looks up an order.", parameters },
  });
  await createAgent(make, CLIENT_APP, "Order desk", {
    instruction: "MODE-TOOL. You look orders up.",
    tools: [`${CLIENT_APP}/tools/look-up-order`],
  });
}

async function createCallbackApp(make: Make): Promise<void> {
  const filters = {
    "word-list": {
      matchType: "WORD_BOUNDARY_STRING_MATCH",
      bannedContents: ["bomb", "weapon"],
      disregardDiacritics: true,
    },
    "card-numbers": { matchType: "REGEXP_MATCH", bannedContents: ["\\d{16}"] },
  };
  for (const [id, contentFilter] of Object.entries(filters)) {
    await make("POST", `${CALLBACK_APP}/guardrails?guardrailId=${id}`, {
      displayName: id,
      enabled: true,
      contentFilter,
      action: { respondImmediately: { responses: [{ text: "I cannot talk about that." }] } },
    });
  }
  const code = (...sources: string[]) => sources.map((pythonCode) => ({ pythonCode }));
  await createAgent(make, CALLBACK_APP, "Help desk", {
    instruction: "MODE-PLAIN. You answer.",
    guardrails: Object.keys(filters).map((id) => `${CALLBACK_APP}/guardrails/${id}`),
    beforeAgentCallbacks: code(COUNT_TURNS),
    beforeModelCallbacks: code(READ_WORDS, STAY_SILENT("before_model_callback", ", llm_request")),
    afterModelCallbacks: code(READ_ANSWER, STAY_SILENT("after_model_callback", ", llm_response")),
    afterAgentCallbacks: code(STAY_SILENT("after_agent_callback", "")),
  });
}

type Make = (method: string, path: string, body: object) => Promise<void>;

async function createApp(app: string, make: Make): Promise<void> {
  const variableDeclarations = [
    { name: "lookups", description: "how often orders were looked up", schema: { type: "INTEGER", default: 0 } },
  ];
  await make("POST", `${PARENT}/apps?appId=${app.slice(app.lastIndexOf("/") + 1)}`, {
    displayName: app,
    modelSettings: { model: "gemini-bench" },
    variableDeclarations,
  });
}

/** The agent made last is the root. */
async function createAgent(make: Make, app: string, displayName: string, agent: object): Promise<void> {
  const agentId = displayName.toLowerCase().replace(" ", "-");
  await make("POST", `${app}/agents?agentId=${agentId}`, { displayName, ...agent });
  await make("PATCH", `${app}?updateMask=rootAgent`, { rootAgent: `${app}/agents/${agentId}` });
}

async function send(port: number, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1beta/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}
