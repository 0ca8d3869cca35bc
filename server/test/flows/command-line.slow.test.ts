import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { startTestServer, TEST_CACHE, type TestServer } from "#testing";
import { type CommandRun, openCommandLine, runCommand } from "../command-line.ts";
import { PROGRAM, SOURCE } from "../program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const EXAMPLE = join(ROOT, "examples", "order-desk", "app");

const commandLine = openCommandLine();
let server: TestServer;
let folder: string;
before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "frontdesk-cli-"));
});
after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The environment of a person who works with the test's server, with these variables set, or unset. */
const environment = (variables: NodeJS.ProcessEnv = {}) => ({
  env: { ...process.env, FRONTDESK_SERVER: server.address, ...variables },
});

/** Runs the command as a person would. */
const runFrontdesk = (...args: readonly string[]): Promise<CommandRun> => runCommand(args, environment());

/** The same in the process that runs many commands. */
const frontdesk = (...args: readonly string[]): Promise<CommandRun> => commandLine.run(args, environment());

/** The same with these variables. */
const frontdeskIn = (variables: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<CommandRun> =>
  commandLine.run(args, environment(variables));

describe("frontdesk", () => {
  it("imports a folder, talks to the app, and exports what it imported", async () => {
    assert.deepEqual(await runFrontdesk("import", EXAMPLE, "desk-copy"), {
      code: 0,
      stdout: "imported projects/local/locations/us/apps/desk-copy\n",
      stderr: "",
    });
    const { stdout } = await frontdesk("chat", "desk-copy", "--say", "Where is my order A-1001?", "--trace");
    assert.match(stdout, /A-1001/);
    assert.match(stdout, /Tool · look_up_order.*━/);
    const target = join(folder, "exported");
    assert.equal((await frontdesk("export", "desk-copy", target)).code, 0);
    for (const file of [
      "agents/Order_status/Order_status.json",
      "tools/look_up_order/python_function/python_code.py",
      "guardrails/No_card_numbers/No_card_numbers.json",
    ]) {
      assert.equal(await readFile(join(target, file), "utf8"), await readFile(join(EXAMPLE, file), "utf8"), file);
    }
  });

  it("imports a zip that it exported", async () => {
    const zip = join(folder, "desk.zip");
    await frontdesk("import", EXAMPLE, "desk-zip");
    await frontdesk("export", "desk-zip", zip);
    assert.equal((await frontdesk("import", zip, "desk-zip-two")).code, 0);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "server", "package.json"), "utf8"));
    for (const way of ["--version", "-v", "version"])
      assert.deepEqual(await frontdesk(way), { code: 0, stdout: `${version}\n`, stderr: "" });
    for (const program of new Set([PROGRAM, SOURCE])) {
      const ran = await promisify(execFile)(process.execPath, [program, "--version"]);
      assert.deepEqual(ran, { stdout: `${version}\n`, stderr: "" });
    }
  });

  it("prints the help of every command that the overview lists, in every way to ask for it", async () => {
    const { stdout } = await frontdesk("help");
    const commands = [...stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name = ""]) => name);
    assert.ok(commands.includes("start") && commands.length >= 10, stdout);
    for (const name of commands) {
      const asked = await Promise.all([frontdesk("help", name), frontdesk(name, "--help")]);
      for (const { code, stdout: help, stderr } of asked) {
        assert.deepEqual([code, stderr, help], [0, "", asked[0].stdout]);
        assert.ok(help.startsWith(`frontdesk ${name}`), help);
      }
    }
    const unknown = await frontdesk("help", "teleport");
    assert.deepEqual([unknown.code, unknown.stderr.split("\n")[0]], [1, "frontdesk: 'teleport' is not a command."]);
  });

  const wrong: readonly [variable: string, value: string, message: RegExp][] = [
    ["FRONTDESK_PORT", "abc", /FRONTDESK_PORT is 'abc', which is not a port\. Use a number from 0 to 65535\./],
    ["FRONTDESK_PORT", "65536", /FRONTDESK_PORT is '65536', which is not a port/],
    ["FRONTDESK_PORT", "0x50", /FRONTDESK_PORT is '0x50', which is not a port/],
    ["FRONTDESK_PORT", "", /FRONTDESK_PORT is '', which is not a port/],
    ["FRONTDESK_SANDBOX_GUESTS", "2.5", /FRONTDESK_SANDBOX_GUESTS is '2\.5'; use a whole number above zero/],
    ["FRONTDESK_SANDBOX_MEMORY_MIB", "1e3", /FRONTDESK_SANDBOX_MEMORY_MIB is '1e3'; use a whole number/],
    ["FRONTDESK_MAX_MODEL_CALLS", "-1", /FRONTDESK_MAX_MODEL_CALLS is '-1'; use a whole number/],
    ["FRONTDESK_LOG_FORMAT", "xml", /FRONTDESK_LOG_FORMAT is 'xml'; use one of auto, json, pretty/],
  ];
  for (const [variable, value, message] of wrong) {
    it(`refuses ${variable}=${value} before it does anything`, async () => {
      const data = join(folder, "never-made");
      const { code, stdout, stderr } = await frontdeskIn({ [variable]: value }, "start", "--data", data);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split("\n").length, 1);
      assert.equal(existsSync(data), false);
    });
  }

  it("refuses a server that is no address, in the environment and as a flag", async () => {
    const chat = ["chat", "--say", "hello"];
    const unset = { FRONTDESK_SERVER: undefined, XDG_CONFIG_HOME: folder };
    const refused = [
      [await frontdeskIn({ ...unset, FRONTDESK_PORT: "abc" }, ...chat), /^frontdesk: FRONTDESK_PORT is 'abc'/],
      [
        await frontdeskIn({ FRONTDESK_SERVER: "localhost:80" }, ...chat),
        /^frontdesk: FRONTDESK_SERVER is 'localhost:80'/,
      ],
      [await frontdesk(...chat, "--server", "nowhere"), /^frontdesk: --server is 'nowhere'/],
    ] as const;
    for (const [{ code, stderr }, message] of refused) {
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });

  it("prints in one sentence what is wrong", async () => {
    const missing = await runFrontdesk("import", join(folder, "nothing-here"));
    assert.deepEqual(
      [missing.code, missing.stderr],
      [1, `frontdesk: ${join(folder, "nothing-here")} does not exist.\n`],
    );
    const picture = join(folder, "picture.png");
    await writeFile(picture, "no zip");
    for (const command of ["import", "lint", "eval"]) {
      const { stderr } = await frontdesk(command, picture);
      assert.match(stderr, /picture\.png is not a zip archive; name the folder of an app package/);
    }
    const unknown = await frontdesk("chat", "no-such-app", "--say", "hello");
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, "frontdesk: Resource 'projects/local/locations/us/apps/no-such-app' was not found.\n"],
    );
    const typo = await frontdesk("strat");
    assert.equal(typo.code, 1);
    assert.match(typo.stderr, /'strat' is not a command\. Did you mean frontdesk start\?/);
    const absent = await frontdesk("chat", "--say", "hello", "--server", "http://127.0.0.1:9");
    assert.match(absent.stderr, /no server responds at http:\/\/127\.0\.0\.1:9/);
  });

  it("does not open the port to others while authentication is off", async () => {
    const { code, stderr } = await frontdesk(
      "start",
      "--host",
      "0.0.0.0",
      "--port",
      "0",
      "--auth",
      "off",
      "--data",
      join(folder, "open"),
    );
    assert.equal(code, 1);
    assert.match(stderr, /authentication is off.*--allow-unauthenticated/);
  });

  it("prints in one sentence why it does not start, and ends", async () => {
    const port = new URL(server.address).port;
    const taken = await runFrontdesk("start", "--port", port, "--data", join(folder, "taken"), "--log", "error");
    assert.deepEqual(
      [taken.code, taken.stderr],
      [1, `frontdesk: port ${port} is in use. Stop the program that uses it, or choose another port with --port.\n`],
    );
    assert.equal(existsSync(join(folder, "taken")), false);
    const locked = await frontdesk("start", "--port", "0", "--data", server.dataDir);
    assert.equal(locked.code, 1);
    assert.match(locked.stderr, /^frontdesk: The data folder '[^\n]*' is in use by another server [^\n]*\n$/);
    const flag = await frontdesk("start", "--prot", "1");
    assert.deepEqual(
      [flag.code, flag.stderr],
      [1, "frontdesk: Unknown option '--prot'. Did you mean --port? Run frontdesk help start for its flags.\n"],
    );
  });

  it("finishes the turns in flight on a signal, also on one that comes twice, and exits 0", async (t) => {
    const env = { ...process.env, FRONTDESK_CACHE: TEST_CACHE, FRONTDESK_SANDBOX_GUESTS: "1" };
    // As `npm start` does; everything else here runs the bundle.
    const args = [
      "--disable-warning=ExperimentalWarning",
      SOURCE,
      "start",
      "--port",
      "0",
      "--data",
      join(folder, "stopped"),
      "--log",
      "error",
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"], env });
    t.after(() => child.kill("SIGKILL"));
    const address = await new Promise<string>((resolve) => {
      let text = "";
      child.stderr.on("data", (chunk) => {
        text += chunk;
        const found = /up at (http:[^\s"]+)/.exec(text)?.[1];
        if (found) resolve(found);
      });
    });
    child.kill("SIGHUP"); // what reloads and rotations send ends nothing
    assert.equal((await fetch(`${address}/readyz`)).status, 200);
    const session = "projects/local/locations/us/apps/order-desk/sessions/last-turn";
    const body = JSON.stringify({ config: {}, inputs: [{ text: "Where is my order A-1001?" }] });
    const turns = Array.from({ length: 5 }, (_, index) =>
      fetch(`${address}/v1beta/${session}-${index}:runSession`, { method: "POST", body }),
    );
    await turns[0]; // The others are under way.
    child.kill("SIGTERM");
    child.kill("SIGINT"); // as when a terminal and a launcher both pass Ctrl-C on
    const exited = new Promise((resolve) => child.once("exit", resolve));
    const statuses = await Promise.all(turns.map(async (turn) => (await turn).status));
    assert.deepEqual([statuses, await exited], [[200, 200, 200, 200, 200], 0]);
  });

  it("logs JSON alone where nobody reads it: one line says where the server is, and none has a link that signs in", async () => {
    const text = await startedAndStopped({ FRONTDESK_AUTH: "required" });
    const lines = text.trimEnd().split("\n");
    const entries = lines.map((line) => JSON.parse(line));
    for (const { level } of entries) assert.equal(typeof level, "number");
    const [up] = entries.filter(({ address }) => address !== undefined);
    assert.equal(up.msg, `Frontdesk is up at ${up.address}`);
    assert.equal(up.model, "frontdesk/builtin");
    assert.match(up.data, /logged-/);
    assert.doesNotMatch(text, /link=/);
  });

  it("logs lines for people on request, and a banner without a link where standard error is no terminal", async () => {
    const text = await startedAndStopped({ FRONTDESK_AUTH: "required", FRONTDESK_LOG_FORMAT: "pretty" });
    const lines = text.split("\n").filter((line) => !/^\s|^$/.test(line));
    assert.ok(lines.length > 0);
    for (const line of lines) assert.match(line, /^\d\d:\d\d:\d\d\.\d{3} {2}(INFO |WARN ) {2}\S/);
    assert.match(text, /note {4}frontdesk auth link makes a link/);
    assert.doesNotMatch(text, /link=/);
  });

  /** What a server writes from its start to its end, in a folder of its own. */
  async function startedAndStopped(variables: NodeJS.ProcessEnv): Promise<string> {
    const data = await mkdtemp(join(folder, "logged-"));
    const args = [PROGRAM, "start", "--port", "0", "--data", data];
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...process.env,
        FRONTDESK_CACHE: TEST_CACHE,
        FRONTDESK_SANDBOX_GUESTS: "1",
        FRONTDESK_MODEL: "frontdesk/builtin",
        ...variables,
      },
    });
    let text = "";
    let asked = false;
    child.stderr.on("data", (chunk) => {
      text += chunk;
      const address = /up at (http:[^\s"]+)/.exec(text)?.[1];
      if (!address || asked) return;
      asked = true;
      void fetch(`${address}/v1beta/projects/p/locations/l/apps`).then(() => child.kill("SIGTERM"));
    });
    await new Promise((resolve) => child.once("close", resolve));
    return text;
  }
});
