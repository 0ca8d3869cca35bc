import { tool } from "@langchain/core/tools";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { INSTRUCTION, lookUpOrder, MODEL, serve, TOOL } from "./serve.mjs";

const schema = z.object({ order_id: z.string().describe(TOOL.parameter) });
const lookUp = tool(async (input) => JSON.stringify(lookUpOrder(input)), { ...TOOL, schema });
const llm = new ChatGoogleGenerativeAI({ model: "gemini-bench", apiKey: "bench", baseUrl: MODEL });
const agent = createReactAgent({ llm, tools: [lookUp], prompt: INSTRUCTION, checkpointer: new MemorySaver() });

serve(async (session, text) => {
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: text }] },
    { configurable: { thread_id: session } },
  );
  return messages.at(-1).text;
});
