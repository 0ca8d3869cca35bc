// The gateway of docs/channels.md, as its reader saves and runs it, between a server and a channel.
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { freePort, startTestServer, type TestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { ROOT } from "./documented-commands.ts";

const PAGE = readFileSync(join(ROOT, "docs", "channels.md"), "utf8");

const CALLBACK = `
def before_model_callback(callback_context, llm_request):
    said = callback_context.get_last_user_input()[-1].text
    number = (get_variable("number") or 0) + 1
    set_variable("number", number)
    parts = [Part.from_text(text=f"{number}: {said}")]
    if said == "card":
        parts.append(Part.from_json(data='{"card": "A kettle"}'))
    if said == "goodbye":
        parts.append(Part.from_function_call(name="end_session", args={"reason": "done"}))
    return LlmResponse.from_parts(parts=parts)
`;

interface Sent {
  readonly to: string;
  readonly text?: string;
  readonly payload?: object;
}

describe("the gateway of docs/channels.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-gateway-"));
  const sent: Sent[] = [];
  let server: TestServer;
  let channel: Server;
  let gateway: ChildProcess;
  let address: string;
  before(async () => {
    server = await startTestServer();
    const end = "projects/test/locations/us/apps/gateway-shop/tools/end_session";
    const app = await appOfOneAgent(
      server,
      "gateway-shop",
      { tools: [end], beforeModelCallbacks: [{ callback: { case: "pythonCode", value: CALLBACK } }] },
      { variableDeclarations: [{ name: "number", schema: {} }] },
    );
    const made = await fetch(`${server.address}/v1beta/${app}/deployments?deploymentId=sms-line`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ displayName: "SMS", channelProfile: { channelType: "API" } }),
    });
    const { name } = (await made.json()) as { readonly name: string };
    channel = createServer(async (request, response) => {
      sent.push(JSON.parse((await request.toArray()).join("")));
      response.end();
    });
    const port = await freePort();
    address = `http://127.0.0.1:${port}/`;
    await new Promise<void>((resolve) => channel.listen(0, "127.0.0.1", resolve));
    writeFileSync(join(folder, "gateway.mjs"), /```js\n(.*?)```/s.exec(PAGE)?.[1] ?? "");
    gateway = spawn(process.execPath, ["gateway.mjs"], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        DESK: server.address,
        DEPLOYMENT: name,
        WEBHOOK_SECRET: "a-secret",
        SEND_URL: `http://127.0.0.1:${(channel.address() as AddressInfo).port}/`,
        PORT: String(port),
      },
    });
    await until(() => fetch(address).then(() => true));
  });
  after(async () => {
    gateway.kill();
    channel.close();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Has the page's commands sign and send a message; answers what curl printed. */
  function deliver(id: string, from: string, text: string, secret = "a-secret"): string {
    const commands = (/```sh\n(.*?)```/s.exec(PAGE)?.[1] ?? "")
      .replace(/BODY='.*'/, `BODY='${JSON.stringify({ id, from, text })}'`)
      .replace("http://127.0.0.1:8090/", address);
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret };
    const { stdout, stderr } = spawnSync("bash", ["-ec", commands], { encoding: "utf8", env });
    assert.match(stdout, /^HTTP\/1\.1/, stderr);
    return stdout.split(" ")[1] ?? "";
  }

  const received = (to: string) => sent.filter((one) => one.to === to).map(({ text, payload }) => text ?? payload);

  it("answers each user in order and once, with what the app made for the channel", async () => {
    assert.equal(deliver("m-1", "+491", "hello"), "200");
    assert.equal(deliver("m-1", "+491", "hello"), "200");
    assert.equal(deliver("m-2", "+491", "card"), "200");
    assert.equal(deliver("m-3", "+492", "hello"), "200");
    await until(() => received("+491").length === 3 && received("+492").length === 1);
    assert.deepEqual(received("+491"), ["1: hello", "2: card", { card: "A kettle" }]);
    assert.deepEqual(received("+492"), ["1: hello"]);
  });

  it("begins the next conversation after the end of one", async () => {
    assert.equal(deliver("e-1", "+493", "goodbye"), "200");
    assert.equal(deliver("e-2", "+493", "hello"), "200");
    await until(() => received("+493").length === 2);
    assert.deepEqual(received("+493"), ["1: goodbye", "1: hello"]);
  });

  it("takes nothing that the channel did not sign, and no message that lacks something", async () => {
    assert.equal(deliver("f-1", "+494", "hello", "another-secret"), "401");
    assert.equal((await fetch(address, { method: "POST", body: "{}" })).status, 401);
    assert.equal(deliver("f-2", "+494", ""), "400");
    assert.deepEqual(received("+494"), []);
  });
});

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (
    !(await Promise.resolve()
      .then(isDone)
      .catch(() => false))
  ) {
    assert.ok(Date.now() < end, "it did not happen within 20 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
