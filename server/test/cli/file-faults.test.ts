import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { type CommandLine, openCommandLine } from "../command-line.ts";

describe("files that a command reads and writes", () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-files-"));
  let server: TestServer;
  let commands: CommandLine;
  before(async () => {
    server = await startTestServer({ example: true });
    commands = openCommandLine();
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) =>
    commands.run(args, { cwd: folder, env: { ...process.env, FRONTDESK_SERVER: server.address } });
  const failure = async (exitCode: number, ...args: readonly string[]) => {
    const { code, stderr } = await run(...args);
    assert.equal(code, exitCode, stderr);
    return stderr;
  };

  it("are told in one sentence where the system refuses them, with the exit code of the command", async () => {
    writeFileSync(join(folder, "taken"), "a file");
    mkdirSync(join(folder, "looped"));
    symlinkSync("agents", join(folder, "looped", "agents"));
    symlinkSync("app.zip", join(folder, "app.zip"));
    for (const [code, ...args] of [
      [1, "init", "taken/my-app"],
      [1, "export", "order-desk", "taken/my-app"],
      [1, "export", "order-desk", "taken/my-app.zip"],
      [2, "test", "taken/my-app"],
      [2, "lint", "taken/my-app"],
      [2, "eval", "app.zip"],
    ] as const)
      assert.match(await failure(code, ...args), /^frontdesk: [^\n]*\n$/, args.join(" "));
  });

  it("are not passed over: gates that cannot be read end an evaluation that they would decide", async () => {
    await run("init", "gated");
    rmSync(join(folder, "gated", "evaluation_gates.yaml"), { force: true });
    mkdirSync(join(folder, "gated", "evaluation_gates.yaml"));
    assert.match(
      await failure(2, "eval", "gated"),
      /^frontdesk: cannot read[^\n]*: illegal operation on a directory\.\n$/,
    );
  });

  it("are not written over by an export that does not say so", async () => {
    assert.equal((await run("export", "order-desk", "desk.zip")).code, 0);
    assert.match(await failure(1, "export", "order-desk", "desk.zip"), /desk\.zip exists; --force writes over it\./);
    assert.equal((await run("export", "order-desk", "desk.zip", "--force")).code, 0);
    mkdirSync(join(folder, "desk"));
    assert.equal((await run("export", "order-desk", "desk")).code, 0);
    writeFileSync(join(folder, "desk", "global_instruction.txt"), "Mine.");
    assert.match(await failure(1, "export", "order-desk", "desk"), /desk is not empty; --force writes into it/);
    assert.equal(readFileSync(join(folder, "desk", "global_instruction.txt"), "utf8"), "Mine.");
  });

  it("are no export of another kind", async () => {
    assert.match(await failure(1, "export", "order-desk", "desk.tar"), /desk\.tar is neither a folder nor a \.zip/);
    assert.ok(!existsSync(join(folder, "desk.tar")));
    assert.equal((await run("export", "order-desk", "v1.2")).code, 0);
    assert.equal((await run("export", "order-desk", "desk.app/")).code, 0);
    assert.ok(existsSync(join(folder, "desk.app", "app.json")));
    assert.equal((await run("export", "order-desk", "Desk.ZIP")).code, 0);
    assert.equal(readFileSync(join(folder, "Desk.ZIP"), "latin1").slice(0, 2), "PK");
  });

  it("are named as a shell reads them in what to try next", async () => {
    const { stdout } = await run("init", "my app ü");
    assert.match(stdout, /^ {2}frontdesk lint 'my app ü'$/m);
  });
});
