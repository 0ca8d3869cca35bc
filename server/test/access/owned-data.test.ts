import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { TestServer } from "#testing";
import { callAs, setRoles, startAccessServer, tokenOf } from "./access-server.ts";

const ACME = "projects/acme/locations/us";
const AGENT = `${ACME}/dataAgents/figures`;
const QUESTIONS = `${ACME}/conversations/questions-of-moe`;
/** What lets somebody upload files, and begin conversations about data. */
const ANALYST = ["roles/frontdesk.analyst", "roles/cloudaicompanion.user"];

let server: TestServer;
let file = "";
before(async () => {
  server = await startAccessServer(["ann", "gus", "moe"]);
  await setRolesOfMoe(ANALYST);
  await setRoles(server, "projects/globex", Object.fromEntries(ANALYST.map((role) => [role, ["moe"]])));
  await made("ann", `${ACME}/dataAgents?dataAgentId=figures`, { displayName: "Figures" });
  await made("moe", `${ACME}/conversations?conversationId=questions-of-moe`, { agents: [AGENT] });
  const response = await fetch(`${server.address}/upload/v1beta/${ACME}/dataFiles?displayName=pay.csv`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokenOf("moe")}` },
    body: "name,pay\nann,5\n",
  });
  assert.equal(response.status, 200);
  ({ name: file } = (await response.json()) as { name: string });
});
after(() => server[Symbol.asyncDispose]());

const setRolesOfMoe = (roles: readonly string[]) =>
  setRoles(server, "projects/acme", {
    "roles/owner": ["ann"],
    ...Object.fromEntries(roles.map((role) => [role, ["moe"]])),
  });

async function made(who: string, path: string, body: object): Promise<void> {
  const { status, json } = await callAs(server, who, "POST", path, body);
  assert.equal(status, 200, JSON.stringify(json));
}

/** What its owner may do with it, the last two at the end. */
const calls = (): readonly (readonly [method: string, path: string, body?: object])[] => [
  ["GET", file],
  ["GET", QUESTIONS],
  ["GET", `${QUESTIONS}/messages`],
  ["PATCH", `${file}?updateMask=displayName`, { displayName: "mine.csv" }],
  ["DELETE", QUESTIONS],
  ["DELETE", file],
];

async function outcomes(): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [method, path, body] of calls())
    answers.push(`${method} ${path} ${(await callAs(server, "moe", method, path, body)).status}`);
  return answers;
}

const everyCall = (status: number) => calls().map(([method, path]) => `${method} ${path} ${status}`);

async function listed(): Promise<readonly (readonly [status: number, names: readonly string[]])[]> {
  const lists = ["dataFiles", "conversations"];
  return Promise.all(
    lists.map(async (list) => {
      const { status, json } = await callAs(server, "moe", "GET", `${ACME}/${list}`);
      return [status, (json[list] ?? []).map(({ name }: { name: string }) => name)] as const;
    }),
  );
}

const THEIRS = () => [[200, [file]] as const, [200, [QUESTIONS]] as const];

it("what somebody brought into a project is theirs for as long as a role lets them bring such things there (IAM-25)", async () => {
  assert.deepEqual(await listed(), THEIRS());
  for (const roles of [[], ["roles/geminidataanalytics.dataAgentViewer"]]) {
    await setRolesOfMoe(roles);
    assert.deepEqual(await outcomes(), everyCall(403), roles.join());
    for (const [status, names] of await listed()) assert.deepEqual([status, names], [403, []]);
  }
  await setRolesOfMoe(ANALYST);
  assert.deepEqual(await listed(), THEIRS());
  assert.deepEqual(await outcomes(), everyCall(200));
});
