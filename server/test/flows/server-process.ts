import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { placeSample } from "#testing";
import { PROGRAM } from "../program.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");
const PROBE = join(import.meta.dirname, "loop-probe.ts");

/** The product as a process of its own. */
interface ServerProcess extends AsyncDisposable {
  /** `http://127.0.0.1:1234` */
  readonly address: string;
}

/** Such a process with a probe beside the server. */
export interface ProbedServer extends ServerProcess {
  /** The longest time since the last call for which the main thread worked without serving what else waited, milliseconds of the processor. */
  longestBlock(): Promise<number>;
}

/** Starts the product with its examples, the built-in model and one Python guest on a free port; resolves when it serves. */
export async function startServerProcess(dataDir: string): Promise<ServerProcess> {
  return start(dataDir, [], { FRONTDESK_SANDBOX_GUESTS: "1" }).then(({ server }) => server);
}

/** Starts it with a probe of its event loop. */
export async function startProbedServer(dataDir: string): Promise<ProbedServer> {
  const { server, child } = await start(dataDir, ["--import", PROBE]);
  return Object.assign(server, {
    longestBlock: async () => {
      child.send("measure");
      const [longest] = await once(child, "message");
      return Number(longest);
    },
  });
}

async function start(
  dataDir: string,
  options: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<{ readonly server: ServerProcess; readonly child: ChildProcess }> {
  await placeSample(dataDir);
  const args = [
    "--disable-warning=ExperimentalWarning",
    ...options,
    PROGRAM,
    "start",
    "--port",
    "0",
    "--data",
    dataDir,
  ];
  const child = spawn(process.execPath, [...args, "--log", "error"], {
    stdio: ["ignore", "ignore", "pipe", options.length > 0 ? "ipc" : "ignore"],
    env: { ...process.env, FRONTDESK_CACHE: CACHE, FRONTDESK_MODEL: "frontdesk/builtin", ...variables },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let text = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      const found = /up at (http:[^\s"]+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", () => reject(new Error(`the server did not start: ${text}`)));
  });
  const server = {
    address,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
  return { server, child };
}
