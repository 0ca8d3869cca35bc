import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Memory of the server and all its guests together, bytes: two guests with all they may have, and the server. */
const TREE_LIMIT = 1_200 << 20;

/** The server goes on answering others: longest silence of its event loop, milliseconds. Generous, for machines under load. */
const LONGEST_PAUSE_MS = 1_500;

const WATCH_INTERVAL_MS = 50;

/** A guest has a /tmp of its own, so one of the secrets lies elsewhere. */
const OUTSIDE_TMP = join(import.meta.dirname, "../../../node_modules/.cache");

/** What an attack is told about the machine, so that it need not guess. */
interface Target {
  readonly file: string;
  readonly shared: string;
  readonly port: number;
  readonly marker: string;
}

/** The traps around the sandbox. `findings` names each that went off since it was last asked. */
export interface Detectors extends AsyncDisposable {
  readonly target: Target;
  findings(told: unknown): string[];
}

/** Sets the traps: secrets in files and in the environment, a listener, a watch over processes, memory and event loop. */
export async function setDetectors(): Promise<Detectors> {
  const secret = `secret-${randomBytes(12).toString("hex")}`;
  mkdirSync(OUTSIDE_TMP, { recursive: true });
  const folders = [OUTSIDE_TMP, tmpdir()].map((folder) => mkdtempSync(join(folder, "attack-")));
  const [file = "", shared = ""] = folders.map((folder) => join(folder, "secret.txt"));
  for (const path of [file, shared]) writeFileSync(path, secret);
  process.env.FRONTDESK_ATTACK_SECRET = secret;
  const listener = await listen();
  const watch = watchProcesses();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  return {
    target: { file, shared, port: listener.port, marker: `MARKER-${randomBytes(12).toString("hex")}` },
    findings(told) {
      const findings = [...watch.take(), ...listener.take()];
      if (JSON.stringify(told).includes(secret)) findings.push("a secret of the host was told");
      for (const path of [file, shared]) {
        if (readFileSync(path, "utf8") !== secret) findings.push(`${path} was changed`);
      }
      const beside = folders.flatMap((folder) => readdirSync(folder)).filter((name) => name !== "secret.txt");
      if (beside.length > 0) findings.push(`files were made: ${beside}`);
      const pause = delay.max / 1e6;
      delay.reset();
      if (pause > LONGEST_PAUSE_MS) findings.push(`the server paused for ${Math.round(pause)} ms`);
      const polluted = Object.keys(Object.prototype).concat("polluted" in {} ? "polluted" : []);
      if (polluted.length > 0) findings.push(`the server's objects were polluted: ${polluted}`);
      return findings;
    },
    async [Symbol.asyncDispose]() {
      delay.disable();
      watch.stop();
      listener.server.close();
      delete process.env.FRONTDESK_ATTACK_SECRET;
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listen() {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the listener has no port");
  return {
    server,
    port: address.port,
    take() {
      const findings = connections > 0 ? [`${connections} connections to the host`] : [];
      connections = 0;
      return findings;
    },
  };
}

/** Looks at the processes below this one, on systems that tell: guests may not have children, and memory has a limit. */
function watchProcesses() {
  const findings = new Set<string>();
  const look = () => {
    const below = processesBelow(process.pid);
    for (const { pid, parent, command } of below) {
      // bubblewrap is a parent of the runtime; the runtime itself has no children.
      const grandparent = below.find((other) => other.pid === parent);
      if (grandparent && !/bwrap/.test(grandparent.command)) findings.add(`process ${pid} was started: ${command}`);
    }
    const bytes = below.reduce((sum, { resident }) => sum + resident, process.memoryUsage.rss());
    if (bytes > TREE_LIMIT) findings.add(`the server and its guests took ${bytes >> 20} MiB`);
  };
  const timer = setInterval(look, WATCH_INTERVAL_MS);
  timer.unref();
  return {
    take() {
      look();
      const found = [...findings];
      findings.clear();
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly resident: number;
}

function processesBelow(root: number): Process[] {
  if (process.platform !== "linux") return [];
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const below: Process[] = [];
  let parents = new Set([root]);
  while (parents.size > 0) {
    const children = all.filter(({ parent }) => parents.has(parent));
    below.push(...children);
    parents = new Set(children.map(({ pid }) => pid));
  }
  return below;
}

function readProcess(pid: number): Process[] {
  try {
    const [, command = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const fields = rest.split(" ");
    return [{ pid, parent: Number(fields[1]), command, resident: Number(fields[21]) * 4096 }];
  } catch {
    return []; // it ended while it was looked at
  }
}
