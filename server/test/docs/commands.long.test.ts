// Runs what the documentation tells its readers to run, as they would: in a shell, in an empty folder, with a server that has the example.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readConfig } from "#app";
import { startTestServer, TEST_CACHE, type TestServer } from "#testing";
import { type CommandBlock, commandBlocks, ROOT, shown, whyNotRun } from "./documented-commands.ts";
import { needsBefore } from "./presumed-state.ts";

const MAIN = join(ROOT, "server", "src", "cli", "main.ts");

/** Pages that are followed from the first command to the last, in one folder. The blocks of others stand for themselves. */
const FOLLOWED = /first-app|get-started|tutorials\//;

/** The servers that pages tell to start, by their configuration file. */
const START = /^npm start -- --config (\S+)$/;

/** What the reader of docs/analytics.md has, and the agent of clients that name none. */
const CONFIG = `warehouse:
  sources:
    acme.sales: ./data/sales
a2a: { agent: projects/local/locations/us/apps/order-desk }
`;
const ORDERS = "ordered_at,channel,amount\n2026-01-03,Web,12.5\n2026-01-09,Shop,20\n2026-02-01,Web,7\n";

interface Run {
  readonly code: number | null;
  readonly output: string;
}

describe("the commands of the documentation", () => {
  const place = mkdtempSync(join(tmpdir(), "frontdesk-documented-"));
  let server: TestServer;
  before(async () => {
    mkdirSync(join(place, "data", "sales"), { recursive: true });
    writeFileSync(join(place, "data", "sales", "orders.csv"), ORDERS);
    writeFileSync(join(place, "server.yaml"), CONFIG);
    server = await startFrom(join(place, "server.yaml"));
    writeProgram("frontdesk", `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${MAIN}" "$@"`);
    writeProgram("npx", '[ "$1 $2" = "--no frontdesk" ] || exit 90\nshift 2\nexec frontdesk "$@"');
    writeProgram("node", `exec "${process.execPath}" "$@"`);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(place, { recursive: true, force: true });
  });

  function writeProgram(name: string, script: string): void {
    mkdirSync(join(place, "bin"), { recursive: true });
    writeFileSync(join(place, "bin", name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(place, "bin", name), 0o755);
  }

  const pages = Map.groupBy(commandBlocks(), ({ page }) => page);
  for (const [page, blocks] of pages) {
    const runnable = blocks.filter(({ commands }) => commands.some((command) => !whyNotRun(command)));
    if (runnable.length > 0)
      it(page, async () => {
        await using servers = new AsyncDisposableStack();
        const shared = folderFor(page);
        let asked = server;
        for (const block of blocks) {
          const folder = FOLLOWED.test(page) ? shared : folderFor(page);
          for (const command of block.commands) {
            const file = START.exec(shown(command))?.[1];
            if (file && FOLLOWED.test(page)) asked = servers.use(await startFrom(join(folder, file)));
          }
          if (runnable.includes(block)) await runBlock(block, folder, asked);
        }
      });
  }

  /** A server with the example and what a configuration file says. */
  function startFrom(file: string): Promise<TestServer> {
    const { warehouse, a2a, voice } = readConfig(["--config", file], {});
    return startTestServer({ example: true, config: { warehouse, a2a, voice } });
  }

  /** An empty folder, beside which the examples are as in a clone. */
  function folderFor(page: string): string {
    const folder = mkdtempSync(join(place, `${page.replace(/\W+/g, "-")}-`));
    for (const name of ["examples", "deploy"]) symlinkSync(join(ROOT, name), join(folder, name));
    return folder;
  }

  async function runBlock(block: CommandBlock, folder: string, asked: TestServer): Promise<void> {
    const commands = block.commands.filter((command) => !whyNotRun(command));
    const { code, output } = await runScript([...needsBefore(block), ...commands].join("\n"), folder, asked);
    assert.equal(code, 0, `${block.page}:${block.line}\n${commands.join("\n")}\n${output}`);
  }

  function runScript(script: string, folder: string, { address }: TestServer): Promise<Run> {
    const home = join(place, "home");
    const env = {
      PATH: `${join(place, "bin")}:${process.env.PATH}`,
      HOME: home,
      XDG_CONFIG_HOME: join(folder, ".config"),
      FRONTDESK_SERVER: address,
      FRONTDESK_CACHE: TEST_CACHE,
      NODE_COMPILE_CACHE: join(place, "compiled"),
      BROWSER: "true",
      TOKEN: "any",
      METRICS_TOKEN: "any",
    };
    // Servers of readers listen on the usual port.
    const here = script.replaceAll(/(?:127\.0\.0\.1|localhost):8080/g, new URL(address).host);
    return new Promise((settle) => {
      const shell = spawn("bash", ["-euo", "pipefail", "-c", here.replaceAll("curl -", "curl --fail-with-body -")], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk) => (output += chunk));
      shell.on("close", (code) => settle({ code, output }));
    });
  }
});
