// Calls whose arguments a model wrote as no JSON object, over a real socket.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { modelsConfigFrom } from "#models";
import { startTestServer } from "#testing";
import { restOf } from "../rest.ts";
import { appOfOneAgent, say } from "./app-of-one-agent.ts";

const CODE = `def cancel(order: str = "all") -> dict:
    """Cancels an order."""
    return {"cancelled": order}
`;

/** Sees an answer before its calls are made, and edits what it says. */
const EDITING = `def after_model_callback(callback_context: CallbackContext, llm_response: LlmResponse) -> Optional[LlmResponse]:
    return LlmResponse.from_parts(llm_response.content.parts)
`;

const calls = (...args: readonly string[]) =>
  args.map((text, at) => ({ id: `call_${at}`, type: "function", function: { name: "cancel", arguments: text } }));

/** A server of OpenAI's API that gives the answers in turn and keeps the messages that it was sent. */
async function scripted(...answers: readonly object[]) {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    const message = answers[sent.length] ?? { content: "Done." };
    sent.push(JSON.stringify(messages));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" in message ? "tool_calls" : "stop" }] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const file = { default: "m/m", providers: { m: { type: "openai", apiKey: "k", baseUrl } } };
  return {
    sent,
    models: modelsConfigFrom({ environment: {}, file }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a call whose arguments are no JSON object (TURN-78)", () => {
  it("is not made, the model is told why, and the calls beside it are made", async () => {
    const broken = '{"order": "A-1';
    await using model = await scripted({ content: "One moment.", tool_calls: calls(broken, '{"order": "B-2"}') });
    await using server = await startTestServer({ config: { models: model.models } });
    const app = await appOfOneAgent(server, "cancel-desk", { instruction: "Cancel." });
    const send = restOf(() => server);
    await send("POST", `${app}/tools?toolId=cancel`, { pythonFunction: { name: "cancel", pythonCode: CODE } });
    const agent = { tools: [`${app}/tools/cancel`], afterModelCallbacks: [{ pythonCode: EDITING }] };
    await send("PATCH", `${app}/agents/root-agent?updateMask=tools,afterModelCallbacks`, agent);
    const { json: answer } = await say(server, app, "unreadable-1", "cancel A-1 and B-2");
    assert.deepEqual(
      answer.outputs.flatMap(({ text }: { text?: string }) => text ?? []),
      ["One moment.", "Done."],
    );
    const told = model.sent[1] ?? "";
    assert.match(told, /cancel was not called: its arguments are no JSON object/);
    assert.ok(told.includes("A-1"), told);
    assert.deepEqual([/B-2[^}]*}}/.test(told), /cancelled[^}]*all/.test(told)], [true, false], told);
  });
});
