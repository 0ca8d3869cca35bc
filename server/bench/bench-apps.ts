/** The apps of the benchmark, made over the API: one whose turns transfer, one whose turns run a Python tool. */
const PARENT = "projects/bench/locations/us";

export const TRANSFER_APP = `${PARENT}/apps/bench-transfer`;
export const PYTHON_APP = `${PARENT}/apps/bench-python`;

const LOOK_UP_ORDER = `def look_up_order(order_id: str) -> dict:
    """Looks up an order.

    Args:
        order_id: number of the order
    """
    state = context.state
    state["lookups"] = int(state.get("lookups") or 0) + 1
    return {"order_id": order_id, "status": "shipped", "lookups": state["lookups"]}
`;

/** Creates both apps on the server at `port`. */
export async function createBenchApps(port: number): Promise<void> {
  const post = (path: string, body: object) => send(port, "POST", path, body);
  for (const app of [TRANSFER_APP, PYTHON_APP]) {
    const variableDeclarations = [
      { name: "lookups", description: "how often orders were looked up", schema: { type: "INTEGER", default: 0 } },
    ];
    await post(`${PARENT}/apps?appId=${app.slice(app.lastIndexOf("/") + 1)}`, {
      displayName: app,
      modelSettings: { model: "gemini-bench" },
      variableDeclarations,
    });
  }
  await post(`${TRANSFER_APP}/agents?agentId=back-desk`, {
    displayName: "Back desk",
    description: "Answers.",
    instruction: "DESK-BACK. You answer.",
  });
  await post(`${TRANSFER_APP}/agents?agentId=front-desk`, {
    displayName: "Front desk",
    description: "Greets.",
    instruction: "DESK-FRONT. You pass questions on.",
    childAgents: [`${TRANSFER_APP}/agents/back-desk`],
  });
  await post(`${PYTHON_APP}/tools?toolId=look-up-order`, {
    pythonFunction: { name: "look_up_order", pythonCode: LOOK_UP_ORDER },
  });
  await post(`${PYTHON_APP}/agents?agentId=order-desk`, {
    displayName: "Order desk",
    instruction: "MODE-TOOL. You look orders up.",
    tools: [`${PYTHON_APP}/tools/look-up-order`],
  });
  await send(port, "PATCH", `${TRANSFER_APP}?updateMask=rootAgent`, { rootAgent: `${TRANSFER_APP}/agents/front-desk` });
  await send(port, "PATCH", `${PYTHON_APP}?updateMask=rootAgent`, { rootAgent: `${PYTHON_APP}/agents/order-desk` });
}

async function send(port: number, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1beta/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}
