import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { type Config, readConfig } from "#app";
import { startTestServer, type TestServer } from "#testing";
import { type Subject, snippetsFor } from "../../../console/src/features/connect/snippets.ts";
import { APP } from "./open-console.ts";

const run = promisify(execFile);
const AGENT = "projects/local/locations/us/dataAgents/shop";

const AUTH: Config["auth"] = { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] };

/** How each language is run from its text. */
const PROGRAMS = {
  curl: (text: string) => run("bash", ["-c", text]),
  node: (text: string) => run(process.execPath, ["--input-type=module", "-e", text]),
  python: (text: string) => run("python3", ["-c", text]),
};

describe("the snippets of Connect", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ example: true });
  });
  after(() => server[Symbol.asyncDispose]());

  async function said(language: keyof typeof PROGRAMS, subject: Subject, authenticated = false): Promise<string> {
    const text = snippetsFor(subject, authenticated).find(({ id }) => id === language)?.text ?? "";
    return (await PROGRAMS[language](text)).stdout;
  }

  for (const language of ["curl", "node", "python"] as const) {
    it(`in ${language} talk to an app, in a session, and to a data agent`, async () => {
      const origin = server.address;
      const session = `${APP}/sessions/shop-${language}`;
      const subjects = {
        app: { kind: "app", origin, app: APP },
        session: { kind: "session", origin, session },
        agent: { kind: "data-agent", origin, agent: AGENT },
      } as const;
      assert.match(await said(language, subjects.app), /Hello, this is Front desk/);
      assert.match(await said(language, subjects.session), /Hello, this is Front desk/);
      assert.match(await said(language, subjects.agent), /orders|products|revenue/i);
    });
  }

  it("take a token that the server wants from the environment, and hold none", async () => {
    const token = "ana-may-ask-everything";
    const roles = ["roles/geminidataanalytics.admin", "roles/ces.client"];
    const identity = { principal: "user:ana@example.com", token, roles };
    await using known = await startTestServer({ example: true, config: { auth: AUTH, identities: [identity] } });
    const origin = known.address;
    const subjects: readonly Subject[] = [
      { kind: "app", origin, app: APP },
      { kind: "session", origin, session: `${APP}/sessions/known-callers` },
      { kind: "data-agent", origin, agent: AGENT },
    ];
    process.env.FRONTDESK_TOKEN = token;
    try {
      for (const subject of subjects) {
        const texts = snippetsFor(subject, true).map(({ text }) => text);
        assert.ok(texts.every((text) => text.includes("FRONTDESK_TOKEN") && !text.includes(token)));
        for (const language of ["curl", "node", "python"] as const)
          assert.match(await said(language, subject, true), /Hello, this is Front desk|orders|products|revenue/i);
      }
    } finally {
      delete process.env.FRONTDESK_TOKEN;
    }
  });

  it("of the state show that a key is set and its source, never the key", async () => {
    const key = "a-key-that-nobody-may-see";
    const { models } = readConfig([], { GEMINI_API_KEY: key });
    await using keyed = await startTestServer({ config: { models } });
    const answer = await fetch(`${keyed.address}/readyz`, { headers: { accept: "application/json" } });
    const text = await answer.text();
    const { status, storage, models: state, sandbox } = JSON.parse(text);
    assert.deepEqual([answer.status, status, storage], [200, "ok", "ok"]);
    assert.deepEqual(state.providers, [{ name: "google", keySource: "GEMINI_API_KEY" }]);
    assert.deepEqual(Object.keys(sandbox).slice(0, 3), ["host", "bubblewrap", "guests"]);
    assert.ok(!text.includes(key));
  });

  it("for MCP name an address that answers, and a tool that it has", async () => {
    const snippet = snippetsFor({ kind: "app", origin: server.address, app: APP }).find(({ id }) => id === "mcp");
    const { url } = JSON.parse(snippet?.text ?? "").mcpServers.frontdesk;
    const { note = "", text = "" } = snippet?.then ?? {};
    const name = /the tool (\w+)/.exec(note)?.[1];
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: JSON.parse(text) },
      }),
    });
    assert.match(await answer.text(), /Hello, this is Front desk/);
  });
});
