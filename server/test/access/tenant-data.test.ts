import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { startDataServer } from "../analytics/data-server.ts";
import { callAs, memberOf, setRoles, tokenOf } from "./access-server.ts";

const ACME = "projects/acme/locations/us";
const GLOBEX = "projects/globex/locations/us";
const APP = `${ACME}/apps/the-shop`;
const SECRET = "the-shop";

let server: TestServer;
before(async () => {
  const identities = ["root", "ann", "gus"].map((name) => ({
    principal: memberOf(name),
    token: tokenOf(name),
    roles: name === "root" ? ["roles/owner"] : [],
  }));
  server = await startDataServer({
    config: {
      auth: { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] },
      identities,
    },
  });
  await setRoles(server, "projects/acme", { "roles/owner": ["ann"] });
  await setRoles(server, "projects/globex", { "roles/owner": ["gus"] });
  const made = async (path: string, body: object) => {
    const { status, json } = await callAs(server, "ann", "POST", path, body);
    assert.equal(status, 200, JSON.stringify(json));
  };
  await made(`${ACME}/apps?appId=the-shop`, { displayName: "Shop" });
  await made(`${APP}/agents?agentId=root-agent`, { displayName: "Root", instruction: "Help." });
  await callAs(server, "ann", "PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  await made(`${APP}/sessions/secret-session:runSession`, { config: {}, inputs: [{ text: "hello" }] });
  await made(`${APP}/tools?toolId=papers`, { fileSearchTool: { name: "papers" }, displayName: "papers" });
  await made(`${ACME}/dataAgents?dataAgentId=secret-agent`, { displayName: "Figures" });
  await made(`${ACME}/conversations?conversationId=secret-questions`, { agents: [`${ACME}/dataAgents/secret-agent`] });
});
after(() => server[Symbol.asyncDispose]());

const FILES = `/upload/v1beta/${APP}/tools/papers/files`;

async function upload(who: string, method: string, path: string): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${tokenOf(who)}` };
  const response = await fetch(server.address + path, { method, headers, ...(method === "PUT" && { body: "Paper." }) });
  return { status: response.status, text: await response.text() };
}

describe("what a project has", () => {
  const lists = [
    `${APP}/conversations`,
    `${APP}/conversations/secret-session`,
    `${APP}/changelogs`,
    `${ACME}/dataAgents`,
    `${ACME}/dataAgents/secret-agent`,
    `${ACME}/conversations`,
    `${ACME}/conversations/secret-questions`,
    `${ACME}/conversations/secret-questions/messages`,
    "projects/acme/auditEntries",
    "projects/acme/credentials",
  ];
  for (const path of lists) {
    it(`is refused to the owner of another one: ${path}`, async () => {
      assert.equal((await callAs(server, "ann", "GET", path)).status, 200);
      assert.equal((await callAs(server, "gus", "GET", path)).status, 403);
    });
  }

  it("is not among what the owner of another one sees anywhere", async () => {
    const paths = ["projects/-/locations/-/apps", "projects/-/locations/-/dataAgents", `${GLOBEX}/operations`];
    for (const path of [...paths, `${GLOBEX}/dataAgents`, `${GLOBEX}/conversations`, "projects/globex/auditEntries"]) {
      const { json } = await callAs(server, "gus", "GET", path);
      assert.doesNotMatch(JSON.stringify(json), /acme|secret|the-shop/, path);
    }
    assert.match(JSON.stringify((await callAs(server, "ann", "GET", paths[0] ?? "")).json), new RegExp(SECRET));
  });

  it("includes files, which the owner of another one can neither read, write nor delete", async () => {
    assert.equal((await upload("ann", "PUT", `${FILES}/terms.md`)).status, 200);
    for (const [method, path] of [
      ["GET", FILES],
      ["PUT", `${FILES}/other.md`],
      ["DELETE", `${FILES}/terms.md`],
    ] as const) {
      const real = await upload("gus", method, path);
      const absent = await upload("gus", method, path.replace("papers", "nothing"));
      assert.deepEqual([real.status, absent.status], [403, 403], real.text);
      assert.equal(absent.text.replaceAll("nothing", "papers"), real.text);
    }
    assert.match((await upload("ann", "GET", FILES)).text, /terms\.md/);
  });

  it("includes data agents: a question with one of another project is refused as if there were none", async () => {
    const ask = (dataAgent: string) =>
      callAs(server, "gus", "POST", `${GLOBEX}:chat`, {
        dataAgentContext: { dataAgent },
        messages: [{ userMessage: { text: "revenue" } }],
      });
    const [real, absent] = [await ask(`${ACME}/dataAgents/secret-agent`), await ask(`${ACME}/dataAgents/nothing-here`)];
    assert.deepEqual([real.status, absent.status], [403, 403]);
    const wordsOf = ({ json }: typeof real) => JSON.stringify(json).replaceAll(/secret-agent|nothing-here/g, "?");
    assert.equal(wordsOf(real), wordsOf(absent));
  });
});
