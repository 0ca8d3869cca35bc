import { spawn } from "node:child_process";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");

/** The product as a process of its own. */
interface ServerProcess extends AsyncDisposable {
  /** `http://127.0.0.1:1234` */
  readonly address: string;
}

/** Starts the product with its examples and the built-in model on a free port; resolves when it serves. */
export async function startServerProcess(dataDir: string): Promise<ServerProcess> {
  const args = ["--disable-warning=ExperimentalWarning", MAIN, "start", "--port", "0", "--data", dataDir];
  const child = spawn(process.execPath, [...args, "--log", "error"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, FRONTDESK_CACHE: CACHE, FRONTDESK_MODEL: "frontdesk/builtin" },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let text = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      text += chunk;
      const found = /up at (http:\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", () => reject(new Error(`the server did not start: ${text}`)));
  });
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
