/** The rooms joined into a program: configuration, wiring, start and stop. */

export { type LineHandler, type StdioStreams, serveStdio } from "#protocols";
export { packFolder, unpackToFolder } from "#resources";
export { StorageError } from "#storage";
export type { ToolsetMember } from "#tools";
export { type App, buildApp, type Capabilities } from "./build-app.ts";
export { type Config, ConfigError, readConfig } from "./config.ts";
export type { Difference } from "./recording/player.ts";
export {
  type RecordedConversation,
  type RecordRequest,
  recordConversation,
} from "./recording/record-conversation.ts";
export { type Replay, type ReplayRequest, replay } from "./recording/replay.ts";
export { type PythonFileCall, type PythonFileRun, runPythonFile } from "./run-python-file.ts";
export { type McpOverLines, serveMcp } from "./serve-mcp.ts";
export { type Server, startServer } from "./start-server.ts";
