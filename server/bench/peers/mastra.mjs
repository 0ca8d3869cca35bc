import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { INSTRUCTION, lookUpOrder, MODEL, serve, TOOL } from "./serve.mjs";

const google = createGoogleGenerativeAI({ baseURL: `${MODEL}/v1beta`, apiKey: "bench" });
const inputSchema = z.object({ order_id: z.string().describe(TOOL.parameter) });
const execute = async (input) => lookUpOrder(input.context ?? input);
const lookUp = createTool({ id: TOOL.name, description: TOOL.description, inputSchema, execute });
const agent = new Agent({
  ...{ id: "desk", name: "desk", instructions: INSTRUCTION },
  model: google("gemini-bench"),
  tools: { [TOOL.name]: lookUp },
});
const histories = new Map();

serve(async (session, text) => {
  const messages = [...(histories.get(session) ?? []), { role: "user", content: text }];
  const result = await agent.generate(messages, { maxSteps: 5 });
  histories.set(session, [...messages, ...result.response.messages]);
  return result.text;
});
