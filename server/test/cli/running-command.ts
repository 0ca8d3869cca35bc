import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PROGRAM } from "../program.ts";

/** A command that runs until it is interrupted. */
export interface RunningCommand extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves when its output has the expression behind what was seen before. Rejects when the command ends before. */
  saw(expression: RegExp): Promise<RegExpExecArray>;
  /** Interrupts it as Ctrl-C does; resolves to the exit code. */
  interrupt(): Promise<number | null>;
}

/** Starts `frontdesk` with these arguments. Standard output and error are read as one text. */
export function startCommand(args: readonly string[], env: NodeJS.ProcessEnv): RunningCommand {
  const words = ["--disable-warning=ExperimentalWarning", PROGRAM, ...args];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  let unseen = "";
  const changed = new EventTarget();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      unseen += chunk.toString();
      changed.dispatchEvent(new Event("text"));
    });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    child,
    saw: (expression) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = expression.exec(unseen);
          if (!found) return;
          unseen = unseen.slice(found.index + found[0].length);
          changed.removeEventListener("text", look);
          resolve(found);
        };
        changed.addEventListener("text", look);
        look();
        void exited.then(() => reject(new Error(`frontdesk ${args.join(" ")} ended without ${expression}: ${unseen}`)));
      }),
    interrupt: () => {
      child.kill("SIGINT");
      return exited;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
