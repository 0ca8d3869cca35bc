import { audit } from "./audit.ts";
import { auth } from "./auth.ts";
import { chat } from "./chat.ts";
import type { Command } from "./command.ts";
import { completionOf } from "./completion/completion.ts";
import { context } from "./context/context.ts";
import { logs } from "./conversations/logs.ts";
import { trace } from "./conversations/trace.ts";
import { ask } from "./data/ask.ts";
import { dataModel } from "./data/data.ts";
import { share } from "./data/share.ts";
import { deploy } from "./deploy.ts";
import { dev } from "./dev/dev.ts";
import { doctor } from "./doctor.ts";
import { evaluate } from "./eval.ts";
import { exportApp } from "./export.ts";
import { exportEvaluations } from "./export-evaluations.ts";
import { toolFiles } from "./files.ts";
import { importApp } from "./import.ts";
import { importEvaluations } from "./import-evaluations.ts";
import { init } from "./init.ts";
import { lint } from "./lint.ts";
import { login, logout } from "./login.ts";
import { mcp } from "./mcp.ts";
import { migrate } from "./migrate.ts";
import { move } from "./move.ts";
import { open } from "./open.ts";
import { operations } from "./operations.ts";
import { diff } from "./packages/diff.ts";
import { pull } from "./packages/pull.ts";
import { push } from "./packages/push.ts";
import { python } from "./python.ts";
import { recordStored } from "./record.ts";
import { replayRecording } from "./replay.ts";
import { resourceCommands } from "./resources/resource-commands.ts";
import { runEvaluations } from "./run-evaluations.ts";
import { start } from "./start.ts";
import { testPackage } from "./test.ts";

/** Commands of their own, by what they are for, in the order of the help. */
export const COMMAND_GROUPS: readonly { readonly title: string; readonly commands: readonly Command[] }[] = [
  { title: "A server", commands: [start, dev, mcp, doctor] },
  { title: "Talking", commands: [chat, ask, share] },
  { title: "An app in a folder, without a server", commands: [init, lint, evaluate, testPackage, python] },
  {
    title: "An app on a server",
    commands: [
      pull,
      push,
      diff,
      deploy,
      runEvaluations,
      importApp,
      exportApp,
      importEvaluations,
      exportEvaluations,
      toolFiles,
    ],
  },
  { title: "Conversations", commands: [logs, trace, open, recordStored, replayRecording] },
  { title: "Data", commands: [dataModel] },
  { title: "Which server, as whom", commands: [context, login, logout] },
  { title: "Running a server", commands: [auth, audit, operations, migrate, move] },
  { title: "The shell", commands: [completionOf(() => COMMANDS)] },
];

/** All commands: those of their own, and those of the API's collections. */
export const COMMANDS: readonly Command[] = [
  ...COMMAND_GROUPS.flatMap(({ commands }) => commands),
  ...resourceCommands,
];
