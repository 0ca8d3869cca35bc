import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { type CommandLine, openCommandLine } from "../command-line.ts";

/** A server for the tests of a suite, a folder for its commands, and these commands. */
interface ServedCommands {
  readonly root: string;
  readonly address: () => string;
  /** Runs a command in a folder (default `root`), which has the user's settings too, with these variables beside. */
  run(args: readonly string[], options?: RunOptions): ReturnType<CommandLine["run"]>;
  /** What a command printed in `root`. Fails the test when its exit code is another. */
  output(code: number, ...args: readonly string[]): Promise<string>;
}

interface RunOptions {
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts them before the tests of the present suite, and removes them after these. */
export function serveCommands(): ServedCommands {
  const root = mkdtempSync(join(tmpdir(), "cli-"));
  let server: TestServer;
  let commands: CommandLine;
  before(async () => {
    server = await startTestServer();
    commands = openCommandLine();
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });
  const run: ServedCommands["run"] = (args, { folder = root, env = {} } = {}) =>
    commands.run(args, {
      cwd: folder,
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, FRONTDESK_SERVER: server.address, ...env },
    });
  return {
    root,
    address: () => server.address,
    run,
    async output(code, ...args) {
      const ran = await run(args);
      assert.equal(ran.code, code, `${args.join(" ")}\n${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    },
  };
}
