import { type ChildProcess, execFile, fork } from "node:child_process";
import { join } from "node:path";
import type { CommandReply, CommandRequest } from "./command-line-process.ts";
import { PROGRAM } from "./program.ts";

const PROCESS = join(import.meta.dirname, "command-line-process.ts");

/** Without it, a process compiles the program each time, which takes longer than most commands. */
const { NODE_COMPILE_CACHE = "" } = process.env;
const COMPILED = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

/** How a command ended, and what it wrote. */
export interface CommandRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command runs. */
interface CommandPlace {
  /** Default: the folder of the tests. */
  readonly cwd?: string;
  /** All its variables. Default: those of the tests. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs `frontdesk` with these arguments in a process of its own, as a person would. */
export function runCommand(
  args: readonly string[],
  { cwd, env = process.env }: CommandPlace = {},
): Promise<CommandRun> {
  const words = ["--disable-warning=ExperimentalWarning", PROGRAM, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd, env: { ...COMPILED, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** One process for many commands, one after the other. */
export interface CommandLine extends AsyncDisposable {
  /** As `runCommand`; rejects when the command left something open that would keep its process from ending. */
  run(args: readonly string[], place?: CommandPlace): Promise<CommandRun>;
}

/** The process of the commands, which the test files of this process share. It ends with this process. */
let shared: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Opens the process. It loads the code of the commands once, which takes longer than most of them. */
export function openCommandLine(): CommandLine {
  let own: Promise<unknown> = Promise.resolve();
  return {
    run(args, { cwd = process.cwd(), env = process.env } = {}) {
      const run = last.then(() => answerOf(sharedProcess(), { args, cwd, env }));
      own = last = run.catch(() => {});
      return run;
    },
    [Symbol.asyncDispose]: async () => void (await own),
  };
}

function sharedProcess(): ChildProcess {
  if (shared) return shared;
  const child = fork(PROCESS, { execArgv: ["--disable-warning=ExperimentalWarning"], stdio: "inherit" });
  child.once("exit", () => {
    shared = undefined;
  });
  shared = child;
  return child;
}

async function answerOf(child: ChildProcess, request: CommandRequest): Promise<CommandRun> {
  child.ref();
  child.channel?.ref();
  child.send(request);
  const { leftOpen, ...run } = await new Promise<CommandReply>((resolve, reject) => {
    const ended = () => reject(new Error(`the process of the commands ended in: ${request.args.join(" ")}`));
    child.once("exit", ended);
    child.once("message", (reply) => {
      child.off("exit", ended);
      resolve(reply as CommandReply);
    });
  }).finally(() => {
    child.unref();
    child.channel?.unref();
  });
  if (leftOpen.length > 0) throw new Error(`frontdesk ${request.args.join(" ")} left open: ${leftOpen.join(", ")}`);
  return run;
}
