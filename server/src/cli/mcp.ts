import type { Command, CommandInput } from "./command.ts";
import { textFlag } from "./flags/text-flag.ts";
import { createMcpBridge } from "./mcp-bridge.ts";
import { startErrorOf } from "./start-error.ts";

/** `frontdesk mcp`: an MCP server over standard input and output, for clients that start their servers. */
export const mcp: Command = {
  name: "mcp",
  operands: "",
  summary: "serve MCP over standard input and output, for desktop clients",
  flags: [
    {
      name: "server",
      value: "url",
      summary: "forward messages to this running server, instead of opening a data folder",
    },
    {
      name: "endpoint",
      value: "path",
      summary: "/mcp or /mcp/analytics, with an optional query: /mcp?profile=read (default /mcp)",
    },
    { name: "data", value: "folder", summary: "data folder (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    { name: "log", value: "level", summary: "log level; logs go to standard error (FRONTDESK_LOG; default warn)" },
    { name: "no-example", summary: "do not import the example app into a new data folder" },
  ],
  examples: ["mcp", "mcp --server http://127.0.0.1:8080 --endpoint '/mcp?profile=read'"],
  run: async (input) => {
    const lines = { input: process.stdin, output: process.stdout };
    const endpoint = textFlag(input.flags.endpoint) ?? "/mcp";
    const server = textFlag(input.flags.server);
    const { readConfig, serveStdio, serveMcp } = await import("#app");
    try {
      if (server) await serveStdio(lines, createMcpBridge(server, endpoint));
      else await serveMcp({ ...lines, endpoint, config: readConfig(startFlags(input)) });
      return 0;
    } catch (error) {
      throw await startErrorOf(error, "To use the server that has locked it, pass its address with --server.");
    }
  },
};

/** The flags of `start`. The default log level is warn, because most clients store the log of a server. */
function startFlags(input: CommandInput): readonly string[] {
  const settings = ["data", "config"].flatMap((name) => {
    const value = textFlag(input.flags[name]);
    return value === undefined ? [] : [`--${name}`, value];
  });
  return [
    ...settings,
    "--log",
    textFlag(input.flags.log) ?? "warn",
    ...(input.flags["no-example"] ? ["--no-example"] : []),
  ];
}
