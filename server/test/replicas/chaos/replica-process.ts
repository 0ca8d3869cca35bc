// A server as a process of its own, without user Python, whose model repeats what it hears: `replica-process.ts <URL of the database> <data folder> <port>`. It sends "ready" when it serves.
import { readConfig, startServer } from "#app";
import { LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import type { Sandbox } from "#sandbox";
import { modelsOf } from "#testing";

const [url = "", dataDir = "", port = "0"] = process.argv.slice(2);

const sandbox: Sandbox = {
  run: () => Promise.reject(new Error("no Python runs here")),
  inspect: () => Promise.reject(new Error("no Python runs here")),
  status: () => ({ host: "node", bubblewrap: false, guests: 0 }),
  close: async () => {},
};

const models = modelsOf({
  label: "test/echo",
  capabilities: LLM_CAPABILITIES,
  async *stream({ messages }: ModelRequest): AsyncGenerator<StreamPart, void> {
    // Long enough that turns are in flight whenever something goes wrong.
    await new Promise((resolve) => setTimeout(resolve, 5 + 20 * Math.random()));
    const said = messages
      .at(-1)
      ?.parts.map((part) => ("text" in part ? part.text : ""))
      .join("");
    yield { kind: "text-delta", text: `You said ${said}` };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
});

const base = readConfig(
  ["--port", port, "--data", dataDir, "--log", process.env.CHAOS_LOG ?? "silent", "--no-example"],
  {
    FRONTDESK_DATABASE_URL: url,
    FRONTDESK_DATABASE_CONNECTIONS: "5",
    FRONTDESK_SEALING_KEY: Buffer.alloc(32, 1).toString("base64"),
  },
);
const server = await startServer({ ...base, drainMs: 5_000 }, { models, sandbox });
process.send?.("ready");
process.once("SIGTERM", () => void server.stop().then(() => process.exit(0)));
