// The Python that the benchmark runs, and the conversation it runs in.
import type { PythonCall, RunOptions } from "#sandbox";

const EVENTS = Array.from({ length: 20 }, (_, index) => ({
  id: `event-${index}`,
  invocation_id: `invocation-${index >> 1}`,
  author: index % 2 ? "Order desk" : "user",
  timestamp: 1_763_600_000 + index,
  content: {
    role: index % 2 ? "model" : "user",
    parts: [{ text: `Message ${index}: where is my order A-100${index}, and when will it be with me, please?` }],
  },
  actions: { state_delta: { last_order: `A-100${index}` } },
}));

const CONTEXT: PythonCall["context"] = {
  invocationId: "invocation-10",
  agentName: "Order desk",
  sessionId: "session-1",
  state: { customer: "C-17", last_order: "A-10019", lookups: 3 },
  userContent: { role: "user", parts: [{ text: "Where is my order A-1001?" }] },
  events: EVENTS,
  extra: { language_code: "en-US", turn_index: 10 },
};

/** The smallest callback, given what a model call has. */
export const callbackCall: PythonCall = {
  code: "def before_model_callback(callback_context, llm_request):\n    return None\n",
  filename: "agents/order_desk/before_model_callback.py",
  entry: "before_model_callback",
  positional: [
    { kind: "callback-context" },
    {
      kind: "llm-request",
      value: { model: "gemini-bench", contents: EVENTS.map(({ content }) => content), config: { temperature: 0.2 } },
    },
  ],
  context: CONTEXT,
  toolNames: ["look_up_order"],
};

/** A tool that asks three others, one after the other. */
export const threeCallsCall: PythonCall = {
  code: `def track(order_id: str) -> dict:
    """Tracks an order."""
    found = [tools.look_up_order({"order_id": order_id, "part": part}).json()["result"] for part in range(3)]
    context.state["last_order"] = order_id
    return {"found": found}
`,
  filename: "tools/track/python_code.py",
  entry: "track",
  keyword: { order_id: "A-1001" },
  context: { ...CONTEXT, functionCallId: "call-1" },
  toolNames: ["look_up_order"],
};

/** Work for the processor alone: `work()` gives the milliseconds it took. */
export const CPU_BOUND = `import time
def work():
    started = time.perf_counter()
    x = 0
    for i in range(3_000_000):
        x = (x * 31 + i) & 0xFFFFFFF
    d = {}
    for i in range(200_000):
        d["k%d" % i] = (i * 7919) % 200_003
    sorted(d.items(), key=lambda item: item[1])
    return (time.perf_counter() - started) * 1000
`;

export const cpuCall: PythonCall = {
  code: CPU_BOUND,
  filename: "work.py",
  entry: "work",
  context: CONTEXT,
  toolNames: [],
};

/** Ends only when it is killed. */
export const endlessCall: PythonCall = {
  code: "def f():\n    while True:\n        pass\n",
  filename: "endless.py",
  entry: "f",
  context: CONTEXT,
  toolNames: [],
};

/** Options of a run in the turn of this name; every tool answers at once. */
export function optionsFor(turn: string): RunOptions {
  return {
    tenant: "projects/bench/locations/us/apps/bench-python",
    turn,
    limits: { cpuMs: 10_000, wallMs: 30_000 },
    onHostCall: async () => ({ status: 200, reason: "OK", text: '{"result":{"status":"shipped"}}' }),
  };
}
