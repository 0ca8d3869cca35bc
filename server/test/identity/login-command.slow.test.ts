import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { PROGRAM } from "../program.ts";
import { type AuthServer, startAuthServer } from "./auth-server.ts";
import { type Browser, createBrowser } from "./browser.ts";

let folder: string;
let server: AuthServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-login-"));
  server = await startAuthServer();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly process: ChildProcess;
  /** All that was written, when the command has ended. */
  readonly ended: Promise<{ readonly code: number; readonly text: string }>;
  /** Resolves when the text has come. */
  said(expression: RegExp): Promise<RegExpExecArray>;
}

/** Runs a command in an environment that has nothing of this machine's. */
function frontdesk(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Running {
  const { PATH } = process.env;
  const env = { PATH, XDG_CONFIG_HOME: folder, FRONTDESK_SERVER: server.address, ...environment };
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env });
  let text = "";
  const changed = new EventTarget();
  const add = (chunk: Buffer) => {
    text += chunk.toString();
    changed.dispatchEvent(new Event("text"));
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return {
    process: child,
    ended: new Promise((resolve) => child.on("close", (code) => resolve({ code: code ?? -1, text }))),
    said: (expression) =>
      new Promise((resolve) => {
        const look = () => {
          const found = expression.exec(text);
          if (found) resolve(found);
        };
        changed.addEventListener("text", look);
        look();
      }),
  };
}

const run = (args: readonly string[], environment?: NodeJS.ProcessEnv) => frontdesk(args, environment).ended;

/** A browser in which a person is signed in; "" for the operator. */
async function signedIn(principal: string): Promise<{ readonly browser: Browser; readonly csrf: string }> {
  const init = { method: "POST", body: JSON.stringify({ principal }) };
  const { url } = (await (await server.call("/auth/links", server.operator, init)).json()) as { readonly url: string };
  const browser = createBrowser();
  await browser.send(url);
  const session = (await (await browser.send(`${server.address}/auth/session`)).json()) as { csrfToken: string };
  return { browser, csrf: session.csrfToken };
}

async function decide(principal: string, userCode: string, allow: boolean, token?: string): Promise<Response> {
  const { browser, csrf } = await signedIn(principal);
  return browser.send(`${server.address}/auth/device/decide`, {
    method: "POST",
    headers: { "x-frontdesk-csrf": token ?? csrf },
    body: JSON.stringify({ userCode, allow }),
  });
}

const CODE = /\/console\/device\?code=([A-Z]{4}-[A-Z]{4})/;

describe("frontdesk login (AUTH-22)", () => {
  it("calls the server in the name of the person who allows it, until the person logs out", async () => {
    assert.match((await run(["audit"])).text, /Log in with 'frontdesk login http/);
    const login = frontdesk(["login"]);
    const [, code = ""] = await login.said(CODE);
    assert.equal((await decide("user:ann@example.com", code, true)).status, 200);
    const { code: exit, text } = await login.ended;
    assert.equal(exit, 0, text);
    assert.equal((await stat(join(folder, "frontdesk", "logins.json"))).mode & 0o777, 0o600);
    assert.equal((await run(["audit", "--caller", "user:ann@example.com"])).code, 0);
    assert.equal((await run(["logout"])).code, 0);
    assert.match((await run(["audit"])).text, /Log in with/);
  });

  it("ends when the person says no, and its code is then worth nothing", async () => {
    const login = frontdesk(["login"]);
    const [, code = ""] = await login.said(CODE);
    assert.equal((await decide("user:ann@example.com", code.toLowerCase(), false)).status, 200);
    const { code: exit, text } = await login.ended;
    assert.deepEqual([exit, /did not allow/.test(text)], [1, true], text);
    assert.equal((await decide("user:ann@example.com", code, true)).status, 404);
  });

  it("is allowed by a person who is signed in and means it", async () => {
    const { user_code: code } = (await (await server.call("/auth/device", {}, { method: "POST" })).json()) as {
      readonly user_code: string;
    };
    const body = JSON.stringify({ userCode: code, allow: true });
    const { text: key } = await server.createApiKey();
    const answers = [
      await decide("user:ann@example.com", code, true, "forged"),
      await decide("", code, true),
      await server.call("/auth/device/decide", {}, { method: "POST", body }),
      await server.call("/auth/device/decide", { "x-goog-api-key": key }, { method: "POST", body }),
      await server.call(`/auth/device?code=${code}`),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 401, 401, 401],
    );
    const { browser } = await signedIn("user:ann@example.com");
    const shown = await browser.send(`${server.address}/auth/device?code=${code}`);
    assert.equal(((await shown.json()) as { readonly address: string }).address, "127.0.0.1");
  });

  it("sends no token over the network in plain text", async () => {
    const { code, text } = await run(["login", "http://desk.example.com"]);
    assert.deepEqual([code, /in plain text. Use its https address/.test(text)], [1, true], text);
  });
});

describe("commands that call a server", () => {
  it("show the token in FRONTDESK_TOKEN", async () => {
    const { text: key } = await server.createApiKey();
    assert.equal((await run(["audit"], { FRONTDESK_TOKEN: key })).code, 0);
    assert.match((await run(["audit"], { FRONTDESK_TOKEN: "fdkey1.x.y" })).text, /API key/);
  });

  it("sign in with the key file in GOOGLE_APPLICATION_CREDENTIALS, and send nothing of a file that is not for this server", async () => {
    const path = join(folder, "key.json");
    const key = await server.createKey("ci");
    await writeFile(path, key.text);
    assert.equal((await run(["audit"], { GOOGLE_APPLICATION_CREDENTIALS: path })).code, 0);
    await writeFile(path, key.text.replaceAll(".frontdesk.local", ".iam.gserviceaccount.com"));
    assert.match((await run(["audit"], { GOOGLE_APPLICATION_CREDENTIALS: path })).text, /missing|Log in with/);
    await writeFile(path, "{");
    const { code, text } = await run(["audit"], { GOOGLE_APPLICATION_CREDENTIALS: path });
    assert.deepEqual([code, /key\.json cannot be used/.test(text)], [1, true], text);
  });
});
