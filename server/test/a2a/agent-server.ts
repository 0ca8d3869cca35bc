import { AsyncQueue } from "#base";
import { startTestServer, type TestServer, type TestServerOptions } from "#testing";
import { type Rest, restOf } from "../rest.ts";
import { type EchoServer, startEchoServer } from "../tools/echo-server.ts";
import { documentOf } from "../tools/tool-bench.ts";
import { ActingModel } from "./acting-model.ts";

export const PARENT = "projects/city/locations/us";
export const APP = `${PARENT}/apps/the-guide`;

/** A server with one app, whose agent does what it is told, and a service elsewhere that takes its time. */
export interface AgentServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly model: ActingModel;
  readonly send: Rest;
  /** A server on loopback: webhooks, and the report that answers when it is released. */
  readonly echo: EchoServer;
  /** Lets the next report answer, as soon as it is asked for. */
  releaseReport(): Promise<void>;
}

/** Starts it; `options` are the server's. A folder that is given has the app already, unless it is new. */
export async function startAgentServer({
  isNew,
  ...options
}: TestServerOptions & { readonly isNew?: boolean } = {}): Promise<AgentServer> {
  const model = new ActingModel();
  const reports = new AsyncQueue<() => void>();
  const waiting = reports[Symbol.asyncIterator]();
  const echo = await startEchoServer((_request, response, { url }) => {
    const answer = () => response.setHeader("content-type", "application/json").end('{"pages":3}');
    if (url.startsWith("/report")) reports.push(answer);
    else answer();
  });
  const { config, ...others } = options;
  const server = await startTestServer({ model, ...others, config: { egressAllow: ["127.0.0.1"], ...config } });
  const send = restOf(() => server);
  if (isNew ?? !options.dataDir) await createGuide(send, echo.url);
  return {
    server,
    model,
    send,
    echo,
    releaseReport: async () => (await waiting.next()).value?.(),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await echo[Symbol.asyncDispose]();
    },
  };
}

const VARIABLES = ["city", "mood", "a2a_message_id", "a2a_task_id"];

async function createGuide(send: Rest, echoUrl: string): Promise<void> {
  await send("POST", `${PARENT}/apps?appId=the-guide`, {
    displayName: "City guide",
    description: "Tells about cities.",
    variableDeclarations: VARIABLES.map((name) => ({ name, description: "", schema: { type: "STRING" } })),
  });
  await send("POST", `${APP}/tools?toolId=show-map`, {
    clientFunction: {
      name: "show_map",
      description: "Shows a map.",
      parameters: { type: "OBJECT", properties: { city: { type: "STRING" } } },
    },
  });
  await send("POST", `${APP}/tools?toolId=set-mood`, {
    pythonFunction: { name: "set_mood", pythonCode: SET_MOOD },
  });
  await send("POST", `${APP}/toolsets?toolsetId=the-press`, {
    displayName: "press",
    executionType: "ASYNCHRONOUS",
    openApiToolset: { openApiSchema: JSON.stringify(reportApi(echoUrl)) },
  });
  await send("POST", `${APP}/agents?agentId=the-clerk`, {
    displayName: "Clerk",
    description: "Writes forms.",
    instruction: "SECRET CLERK INSTRUCTION",
  });
  await send("POST", `${APP}/agents?agentId=the-guide`, {
    displayName: "Guide",
    description: "Knows streets and museums.",
    instruction: "SECRET INSTRUCTION. The city is {{city}}.",
    childAgents: [`${APP}/agents/the-clerk`],
    tools: ["end_session", `${APP}/tools/show-map`, `${APP}/tools/set-mood`],
    toolsets: [{ toolset: `${APP}/toolsets/the-press` }],
    beforeAgentCallbacks: [{ pythonCode: ANSWERS }],
  });
  await send("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/the-guide` });
}

const SET_MOOD = `def set_mood(mood: str) -> dict:
  """Sets the mood."""
  set_variable("mood", mood)
  return {"ok": True}
`;

/** What a model cannot say: files and data. */
const ANSWERS = `def before_agent_callback(callback_context):
  said = callback_context.get_last_user_input()
  text = "".join(part.text or "" for part in said) if said else ""
  if text == "send a file":
    return Content(parts=[Part.from_inline_data(b"picture", "image/png")], role="model")
  if text == "send a link":
    return Content(parts=[Part.from_json('{"fileData": {"fileUri": "https://example.com/map.pdf", "mimeType": "application/pdf"}}')], role="model")
  if text == "end it":
    return Content(parts=[Part.from_text("Goodbye."), Part.from_end_session(reason="done")], role="model")
  if text == "send data":
    return Content(parts=[Part.from_json('{"streets": 12}')], role="model")
  return None
`;

function reportApi(url: string): object {
  return documentOf(url, {
    "/report": { get: { operationId: "getReport", description: "Writes a report.", responses: {} } },
  });
}
