import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";
import { INSTRUCTION, lookUpOrder, MODEL, serve, TOOL } from "./serve.mjs";

const google = createGoogleGenerativeAI({ baseURL: `${MODEL}/v1beta`, apiKey: "bench" });
const inputSchema = z.object({ order_id: z.string().describe(TOOL.parameter) });
const tools = { [TOOL.name]: tool({ description: TOOL.description, inputSchema, execute: lookUpOrder }) };
const histories = new Map();

serve(async (session, text) => {
  const messages = [...(histories.get(session) ?? []), { role: "user", content: text }];
  const options = { model: google("gemini-bench"), system: INSTRUCTION, messages, tools, stopWhen: stepCountIs(5) };
  const result = await generateText(options);
  histories.set(session, [...messages, ...result.response.messages]);
  return result.text;
});
