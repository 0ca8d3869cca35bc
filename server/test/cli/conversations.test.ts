import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { APP_PAGES } from "../../src/cli/open.ts";
import { type CommandLine, openCommandLine } from "../command-line.ts";
import { startCommand } from "./running-command.ts";

const APP = "projects/local/locations/us/apps/order-desk";

describe("conversations in the terminal", () => {
  const home = mkdtempSync(join(tmpdir(), "cli-conversations-"));
  let server: TestServer;
  let commands: CommandLine;
  before(async () => {
    server = await startTestServer({ example: true });
    commands = openCommandLine();
    await say("first", "Where is my order A-1001?");
    await say("first", "Thank you");
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(home, { recursive: true });
  });

  const env = () => ({ PATH: process.env.PATH, XDG_CONFIG_HOME: home, FRONTDESK_SERVER: server.address });
  const run = (...args: readonly string[]) => commands.run(args, { env: env() });
  async function say(session: string, text: string): Promise<void> {
    const body = JSON.stringify({ inputs: [{ text }] });
    const url = `${server.address}/v1beta/${APP}/sessions/${session}:runSession`;
    assert.equal((await fetch(url, { method: "POST", body })).status, 200);
  }

  it("logs shows what was said and called, with its time", async () => {
    const { stdout } = await run("logs");
    assert.match(
      stdout,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}first #1 \d+\.\d\d s\n {2}user +Where is my order A-1001\?$/m,
    );
    assert.match(stdout, /^ {2}tool +look_up_order \{.*A-1001.*\}$/m);
    assert.match(stdout, /first #2/);
    const turns = JSON.parse((await run("logs", "order-desk", "--json", "--conversation", "first")).stdout);
    assert.deepEqual(
      turns.map(({ name, turn }: { name: string; turn: number }) => [name, turn]),
      [1, 2].map((turn) => [`${APP}/conversations/first`, turn]),
    );
    assert.equal((await run("logs", "--since", "2099-01-01")).stdout, "None.\n");
  });

  it("logs refuses an app that does not exist, and does not wait for its conversations", async () => {
    for (const args of [["nothing-here"], ["nothing-here", "--follow"]]) {
      const { code, stderr } = await run("logs", ...args);
      assert.deepEqual([code, /apps\/nothing-here' was not found/.test(stderr)], [1, true], stderr);
    }
  });

  it("conversations list says when each began and how many turns it has", async () => {
    const [heading = "", row = ""] = (await run("conversations", "list")).stdout.split("\n");
    assert.match(heading, /^NAME +STARTED +TURNS$/);
    assert.match(row, /^first +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ +2$/);
  });

  it("logs --follow shows each new turn once, one line of JSON each", async () => {
    await using following = startCommand(["logs", "--follow", "--json", "--since", "1h"], env());
    await following.saw(/"turn":1.*\n.*"turn":2.*\n/);
    await say("first", "Where is my order A-1002?");
    await say("second", "Where is my order A-1003?");
    const [line = ""] = await following.saw(/^\{.*"turn":3.*\}$/m);
    assert.match(line, /A-1002/);
    await following.saw(/^\{.*conversations\/second","turn":1.*\}$/m);
    assert.equal(await following.interrupt(), 0);
  });

  it("trace shows the spans of a turn as a tree", async () => {
    const { stdout } = await run("trace", "order-desk/first", "--turn", "1");
    assert.match(stdout, /^ +Tool · look_up_order.*━.* ms$/m);
    const [turn] = JSON.parse((await run("trace", `${APP}/sessions/first`, "--json")).stdout);
    assert.ok(turn.rootSpan.childSpans.length > 0);
    assert.match((await run("trace", "order-desk/first", "--turn", "9")).stderr, /--turn is '9'; the conversation has/);
  });

  it("open knows the console's pages, and says what was probably meant", async () => {
    const router = join(import.meta.dirname, "..", "..", "..", "console", "src", "routes", "router.tsx");
    const routes = [...readFileSync(router, "utf8").matchAll(/^ +path: "\/(\w+)",$/gm)].map(([, page]) => page);
    assert.deepEqual(APP_PAGES.toSorted(), routes.filter((page) => page !== "console").toSorted());
    const address = async (...args: readonly string[]) => (await run("open", ...args, "--no-browser")).stdout;
    assert.equal(await address(), `${server.address}/console\n`);
    assert.equal(
      await address("order-desk", "conversations/first"),
      `${server.address}/console/${APP}/conversations/first\n`,
    );
    const { stderr } = await run("open", "order-desk", "conversation", "--no-browser");
    assert.match(stderr, /'conversation' is no page of an app; .* Did you mean conversations\?/);
    assert.match((await run("open", "--endpoint", server.address)).stderr, /name one with --server/);
  });

  it("conversations delete --filter deletes what the filter finds, and nothing else", async () => {
    await say("jane-1", "I am jane@example.com, where is order A-1001?");
    await say("jane-2", "jane@example.com again");
    await say("other", "Not jane, and example.com is my page");
    const remove = (...args: readonly string[]) => run("conversations", "delete", ...args);
    const filter = ["--filter", 'text:"jane@example.com"'];
    const asked = await remove(...filter);
    assert.deepEqual(
      [asked.code, asked.stderr],
      [1, "frontdesk: the filter finds 2 conversations; --force deletes them.\n"],
    );
    assert.equal((await remove(...filter, "--force")).stdout, "Deleted 2 conversations.\n");
    assert.equal((await remove(...filter, "--force")).stdout, "No conversations fit the filter.\n");
    const left = JSON.parse((await run("conversations", "list", "--json")).stdout) as { name: string }[];
    assert.equal(
      left.some(({ name }) => name.endsWith("/other")),
      true,
    );
    assert.equal(
      left.some(({ name }) => name.includes("/jane-")),
      false,
    );
    for (const [args, error] of [
      [["--filter", " "], /an empty --filter would delete everything; say what to delete/],
      [["first", ...filter], /give a name or --filter, not both/],
    ] as const)
      assert.match((await remove(...args, "--force")).stderr, error);
  });
});
