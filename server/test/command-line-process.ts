// The process of `openCommandLine`: runs the entry of the command anew for each request, on modules that are loaded already.
import { pathToFileURL } from "node:url";
import type { CommandRun } from "./command-line.ts";
import { PROGRAM } from "./program.ts";

/** A command to run. */
export interface CommandRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** How it ended, and kinds of resources that would keep a process from ending. */
export interface CommandReply extends CommandRun {
  readonly leftOpen: readonly string[];
}

/** How long a command has to close what it opened, milliseconds. */
const CLOSING_MS = 10_000;

// Node opens the streams of a process when they are first asked for; they are not what a command leaves open.
void [process.stdin, process.stdout, process.stderr];

let runs = 0;

process.on("message", async (request: CommandRequest) => {
  process.send?.(await answer(request));
});

async function answer({ args, cwd, env }: CommandRequest): Promise<CommandReply> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, PROGRAM, ...args];
  process.exitCode = undefined;
  const open = process.getActiveResourcesInfo();
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  try {
    await import(`${pathToFileURL(PROGRAM)}?run=${++runs}`);
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = 1;
  }
  const run = { code: Number(process.exitCode ?? 0), stdout: stdout.end(), stderr: stderr.end() };
  process.exitCode = undefined;
  return { ...run, leftOpen: await leftOpen(open) };
}

/** Keeps what is written to a stream of this process. */
function capture(stream: NodeJS.WriteStream): { end(): string } {
  const { write } = stream;
  let text = "";
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return {
    end() {
      stream.write = write;
      return text;
    },
  };
}

/** What keeps this process alive beside what did before, once the command had time to close it. */
async function leftOpen(before: readonly string[]): Promise<readonly string[]> {
  for (const end = performance.now() + CLOSING_MS; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
    const left = [...process.getActiveResourcesInfo()];
    for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1);
    if (left.length === 0 || performance.now() > end) return left;
  }
}
