import { FunctionTool, Gemini, InMemoryRunner, LlmAgent } from "@google/adk";
import { z } from "zod";
import { INSTRUCTION, lookUpOrder, MODEL, serve, TOOL } from "./serve.mjs";

process.env.GOOGLE_GEMINI_BASE_URL = MODEL;
const parameters = z.object({ order_id: z.string().describe(TOOL.parameter) });
const lookUp = new FunctionTool({ name: TOOL.name, description: TOOL.description, parameters, execute: lookUpOrder });
const model = new Gemini({ model: "gemini-bench", apiKey: "bench" });
const agent = new LlmAgent({ name: "desk", model, instruction: INSTRUCTION, tools: [lookUp] });
const runner = new InMemoryRunner({ agent, appName: "bench" });
const known = new Set();

serve(async (session, text) => {
  const place = { appName: "bench", userId: "user", sessionId: session };
  if (!known.has(session)) await runner.sessionService.createSession(place);
  known.add(session);
  let answer = "";
  const newMessage = { role: "user", parts: [{ text }] };
  for await (const event of runner.runAsync({ userId: "user", sessionId: session, newMessage }))
    answer = event.content?.parts?.map((part) => part.text ?? "").join("") || answer;
  return answer;
});
