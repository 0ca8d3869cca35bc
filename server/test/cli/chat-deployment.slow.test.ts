import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { startTestServer } from "#testing";
import { openCommandLine } from "../command-line.ts";

const FAQ = join(import.meta.dirname, "..", "..", "..", "examples", "templates", "faq");

it("chat takes a deployment by its id, its display name or its resource name, as deploy does", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-chat-"));
  await using server = await startTestServer();
  await using commands = openCommandLine();
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, FRONTDESK_SERVER: server.address };
  const run = (...args: readonly string[]) => commands.run(args, { cwd: folder, env });
  const chat = (deployment: string) => run("chat", "asked", "--deployment", deployment, "--say", "hi", "--json");
  try {
    await run("push", FAQ, "asked");
    for (const name of ["web", "web-chat"]) assert.equal((await run("deploy", "asked", name)).code, 0);
    const names = (await run("deployments", "list", "--app", "asked", "--output", "name")).stdout.trim().split("\n");
    assert.equal(names.length, 2);
    for (const name of ["web", "web-chat", ...names]) {
      const { code, stdout, stderr } = await chat(name);
      assert.equal(code, 0, stderr);
      const session = JSON.parse(stdout).name.replace("/sessions/", "/conversations/");
      const stored = JSON.parse((await run("conversations", "get", session, "--json")).stdout);
      assert.ok(names.includes(stored.deployment), name);
    }
    const { code, stderr } = await chat("shop");
    assert.equal(code, 1);
    assert.match(stderr, /apps\/asked has no deployment 'shop'; frontdesk deployments list shows/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
