// A fake of the Gemini API, which tests cannot reach: its real wire format over a real socket, answers prepared
// beforehand, so that it never is what a measurement waits for. Run as a process of its own: it prints its port. Its argument is the time
// that an answer takes on average, in milliseconds (default 0); `/milliseconds` tells the time of all answers.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Words of the streamed answer, one chunk each. */
const WORDS = "Your order has left our warehouse and should be with you by Thursday evening at the latest .".split(" ");
const TEXT = `${WORDS.join(" ")}`;
const USAGE = { promptTokenCount: 180, candidatesTokenCount: 20, totalTokenCount: 200 };

const part = (content: object, finish: boolean) =>
  JSON.stringify({
    candidates: [{ content: { role: "model", parts: [content] }, ...(finish && { finishReason: "STOP" }), index: 0 }],
    ...(finish && { usageMetadata: USAGE }),
  });

const call = (name: string, args: object) => Buffer.from(part({ functionCall: { name, args } }, true));
const ANSWERS = {
  text: Buffer.from(part({ text: TEXT }, true)),
  tool: call("look_up_order", { order_id: "A-1001" }),
  toBack: call("transfer_to_agent", { agent_name: "Back desk" }),
  toFront: call("transfer_to_agent", { agent_name: "Front desk" }),
};
const STREAMED_TEXT = WORDS.map((word, index) =>
  Buffer.from(`data: ${part({ text: `${word} ` }, index === WORDS.length - 1)}\r\n\r\n`),
);

/** What the prompt asks for: a plain one is answered at once; else a second call answers, the first acts. The markers are in the agents' instructions. */
function answerFor(prompt: string): keyof typeof ANSWERS {
  const lastTurn = prompt.slice(prompt.lastIndexOf('"role":"user"'));
  // What another agent did reaches an agent as a message "For context:" (TURN-45).
  const acted = ["functionResponse", "For context:", "ACTED"].some((sign) => lastTurn.includes(sign));
  if (acted || endsWithResponse(prompt) || prompt.includes("MODE-PLAIN")) return "text";
  if (prompt.includes("MODE-TOOL")) return "tool";
  return prompt.includes("DESK-FRONT") ? "toBack" : "toFront";
}

/** Whether the last content is what a tool answered: some clients write the role behind it. */
function endsWithResponse(prompt: string): boolean {
  if (!prompt.includes("functionResponse")) return false;
  const { contents } = JSON.parse(prompt) as { readonly contents: readonly { readonly parts: readonly object[] }[] };
  return contents.at(-1)?.parts.some((part) => "functionResponse" in part) ?? false;
}

const LATENCY_MS = Number(process.argv[2] ?? 0);

let calls = 0;
let milliseconds = 0;

const server = createServer((request, response) => {
  if (request.url === "/calls") return void response.end(String(calls));
  if (request.url === "/milliseconds") return void response.end(String(milliseconds));
  calls += 1;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const respond = () => answer(request, Buffer.concat(chunks).toString(), response);
    if (LATENCY_MS === 0) return respond();
    // From 80 to 120 %, in turn: callers that began together do not stay together.
    const latency = LATENCY_MS * (0.8 + 0.1 * (calls % 5));
    milliseconds += latency;
    setTimeout(respond, latency);
  });
});

function answer(request: IncomingMessage, prompt: string, response: ServerResponse): void {
  const kind = answerFor(prompt);
  if (!request.url?.includes(":streamGenerateContent")) {
    response.writeHead(200, { "content-type": "application/json", "content-length": ANSWERS[kind].length });
    response.end(ANSWERS[kind]);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (kind !== "text") {
    response.end(Buffer.concat([Buffer.from("data: "), ANSWERS[kind], Buffer.from("\r\n\r\n")]));
    return;
  }
  for (const chunk of STREAMED_TEXT) response.write(chunk);
  response.end();
}

server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
