import type { Command, CommandInput } from "./command.ts";
import { createMcpBridge } from "./mcp-bridge.ts";
import { startFault } from "./start-faults.ts";

/** `frontdesk mcp`: the MCP server over standard input and output, for clients that start their servers themselves. */
export const mcp: Command = {
  name: "mcp",
  operands: "",
  summary: "serve MCP over standard input and output, for desktop clients",
  flags: [
    {
      name: "server",
      value: "url",
      summary: "pass messages on to the server that runs there, instead of opening a data folder",
    },
    {
      name: "endpoint",
      value: "path",
      summary: "/mcp or /mcp/analytics, with a query: /mcp?profile=read (default /mcp)",
    },
    { name: "data", value: "folder", summary: "data folder (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    { name: "log", value: "level", summary: "logs on standard error (FRONTDESK_LOG; default warn)" },
    { name: "no-example", summary: "do not import the shipped example into an empty data folder" },
  ],
  run: async (input) => {
    const lines = { input: process.stdin, output: process.stdout };
    const endpoint = text(input, "endpoint") ?? "/mcp";
    const server = text(input, "server");
    const { readConfig, serveStdio, serveMcp } = await import("#app");
    try {
      if (server) await serveStdio(lines, createMcpBridge(server, endpoint));
      else await serveMcp({ ...lines, endpoint, config: readConfig(startFlags(input)) });
      return 0;
    } catch (error) {
      throw await startFault(error, "To use the server that runs on it, give its address with --server.");
    }
  },
};

function text({ flags }: CommandInput, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The flags that `start` has too. Without a level only warnings are told: most clients keep what a server logs. */
function startFlags(input: CommandInput): readonly string[] {
  const given = ["data", "config"].flatMap((name) => {
    const value = text(input, name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  return [...given, "--log", text(input, "log") ?? "warn", ...(input.flags["no-example"] ? ["--no-example"] : [])];
}
