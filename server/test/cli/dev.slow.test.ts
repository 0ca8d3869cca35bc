import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { TEST_CACHE } from "#testing";
import { type RunningCommand, startCommand } from "./running-command.ts";

const TEMPLATE = join(import.meta.dirname, "..", "..", "..", "examples", "templates", "faq");
const CODE = "tools/find_answer/python_function/python_code.py";

describe("frontdesk dev", () => {
  const root = mkdtempSync(join(tmpdir(), "cli-dev-"));
  const folder = join(root, "my-desk");
  let command: RunningCommand;
  let address: string;
  before(async () => {
    cpSync(TEMPLATE, folder, { recursive: true });
    command = startCommand(["dev", folder, "--port", "0", "--no-chat"], {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: root,
      FRONTDESK_CACHE: TEST_CACHE,
      FRONTDESK_SANDBOX_GUESTS: "1",
    });
    [, address = ""] = await command.saw(/(http:\S+)\/console\/projects\/local\/locations\/us\/apps\/my-desk\n/);
  });
  after(async () => {
    await command[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });

  const edit = (path: string, change: (text: string) => string): void =>
    writeFileSync(join(folder, path), change(readFileSync(join(folder, path), "utf8")));
  const instruction = async () => {
    const response = await fetch(`${address}/v1beta/projects/local/locations/us/apps/my-desk`);
    return ((await response.json()) as { readonly globalInstruction?: string }).globalInstruction;
  };

  it("takes a free port while another program has the usual one, and says so", async () => {
    // Whoever has it: this test, or a server of somebody else on this machine.
    const taken = createServer()
      .listen(8080, "127.0.0.1")
      .on("error", () => {});
    await using beside = startCommand(["dev", folder, "--no-chat"], {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: root,
      FRONTDESK_CACHE: TEST_CACHE,
      FRONTDESK_SANDBOX_GUESTS: "1",
    });
    await beside.saw(/port 8080 is in use, so this takes a free one; --port chooses another\.\n/);
    const [, port] = await beside.saw(/127\.0\.0\.1:(\d+)\/console/);
    assert.notEqual(port, "8080");
    taken.close();
  });

  it("takes a free port while a server has the one of the settings, and only that of the command line", async () => {
    const { port: taken } = new URL(address);
    const env = {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: root,
      FRONTDESK_CACHE: TEST_CACHE,
      FRONTDESK_SANDBOX_GUESTS: "1",
      FRONTDESK_PORT: taken,
    };
    await using beside = startCommand(["dev", folder, "--no-chat"], env);
    await beside.saw(new RegExp(`port ${taken} is in use, so this takes a free one; --port chooses another\\.\n`));
    await beside.saw(/127\.0\.0\.1:\d+\/console/);
    await using asked = startCommand(["dev", folder, "--no-chat", "--port", taken], env);
    await asked.saw(new RegExp(`port ${taken} is in use\\. Stop the program that uses it, or choose another port`));
  });

  it("imports each save at once", async () => {
    edit("global_instruction.txt", () => "Be brief.\n");
    await command.saw(/imported global_instruction\.txt in \d+ ms/);
    assert.match((await instruction()) ?? "", /^Be brief\./);
  });

  it("goes on when the folder is away for a moment, as in a change of branches", async () => {
    renameSync(folder, `${folder}-away`);
    await command.saw(/fault: .*no such file or directory.*\n.* not imported: the app is as it was before/);
    assert.match((await instruction()) ?? "", /^Be brief\./);
    writeFileSync(join(`${folder}-away`, "global_instruction.txt"), "Be brief. And kind.\n");
    renameSync(`${folder}-away`, folder);
    await command.saw(/imported global_instruction\.txt in \d+ ms/);
    assert.match((await instruction()) ?? "", /^Be brief\. And kind\./);
  });

  it("tells faults with file and line, and keeps the app as it was", async () => {
    const manifest = readFileSync(join(folder, "tools/find_answer/find_answer.json"), "utf8");
    const code = readFileSync(join(folder, CODE), "utf8");
    edit("tools/find_answer/find_answer.json", (text) => text.replace("{", "{ oops"));
    await command.saw(/fault: .*tools\/find_answer\/find_answer\.json:1:\d+: Not valid JSON/);
    await command.saw(/not imported: the app is as it was before\./);
    edit("tools/find_answer/find_answer.json", () => manifest);
    await command.saw(/imported tools\/find_answer\/find_answer\.json/);
    edit(CODE, (text) => `def broken(:\n${text}`);
    await command.saw(/fault: .*python_code\.py:1:\d+: SyntaxError/);
    edit("global_instruction.txt", () => "Be long.\n");
    await command.saw(/global_instruction\.txt not imported/);
    assert.match((await instruction()) ?? "", /^Be brief\./);
    edit(CODE, () => code);
    await command.saw(/imported .*python_code\.py/);
    assert.match((await instruction()) ?? "", /^Be long\./);
  });

  it("goes on with a session after a save", async () => {
    const say = async (text: string) => {
      const session = `${address}/v1beta/projects/local/locations/us/apps/my-desk/sessions/edited:runSession`;
      const response = await fetch(session, { method: "POST", body: JSON.stringify({ inputs: [{ text }] }) });
      assert.equal(response.status, 200);
      return JSON.stringify(await response.json());
    };
    await say("When are you open?");
    edit("global_instruction.txt", () => "Be kind.\n");
    await command.saw(/imported global_instruction\.txt/);
    await say("When are you open?");
  });

  it("ends when it is interrupted", async () => {
    assert.equal(await command.interrupt(), 0);
  });
});
