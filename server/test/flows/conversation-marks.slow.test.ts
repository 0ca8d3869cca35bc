import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { call, ScriptedModel, say, startPostgres, startTestServer, type TestServer, withoutPostgres } from "#testing";
import { type Rest, restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-clinic`;

/** Tools of the app; `book_slot` calls `find_slot`, which raises for Sundays. */
const TOOLS = {
  find_slot: `def find_slot(day: str) -> dict:\n    if day == "Sunday":\n        raise ValueError("closed")\n    return {"slot": day}\n`,
  book_slot: `def book_slot(day: str) -> dict:\n    try:\n        tools.find_slot({"day": day})\n    except Exception:\n        return {"booked": False}\n    return {"booked": True}\n`,
};

/** Each conversation's id, what the user says, and what the model does. */
const CONVERSATIONS = [
  { id: "greeting", text: "hello", answers: [say("Good morning.")] },
  { id: "found", text: "a slot on Monday?", answers: [call("find_slot", { day: "Monday" }), say("Monday it is.")] },
  { id: "failed", text: "on Sunday?", answers: [call("find_slot", { day: "Sunday" }), say("We are closed.")] },
  { id: "nested", text: "book it for Sunday", answers: [call("book_slot", { day: "Sunday" }), say("We are closed.")] },
  {
    id: "handed-over",
    text: "a person!",
    answers: [call("end_session", { reason: "asked", session_escalated: true })],
  },
  { id: "stopped", text: "you fool", answers: [] },
  { id: "pretender", text: "outcome FAILED find_slot", answers: [say("Pardon?")] },
] as const;

const CASES: readonly [filter: string, ids: readonly string[]][] = [
  ["outcome = FAILED", ["failed"]],
  ['outcome = "escalated"', ["handed-over"]],
  ["outcome:GUARDRAIL", ["stopped"]],
  ["outcome = (FAILED OR ESCALATED)", ["failed", "handed-over"]],
  ["tool = find_slot", ["found", "failed", "nested"]],
  ["tool = find_slot AND tool != book_slot", ["found", "failed"]],
  ["failed_tool = find_slot", ["failed", "nested"]],
  ["NOT failed_tool = find_slot AND tool = find_slot", ["found"]],
  ["tool = find", []],
  ['guardrail = "No insults"', ["stopped"]],
  ['agent = "Front desk" AND outcome != GUARDRAIL AND tool != find_slot', ["greeting", "handed-over", "pretender"]],
  ['outcome = FAILED AND ces_transcript.search("sunday")', ["failed"]],
  ['text:"on Sunday?"', ["failed"]],
  ['text:"ON SUNDAY" AND failed_tool = find_slot', ["failed"]],
  ['NOT text:"sunday" AND tool = find_slot', ["found"]],
  ['text:"slot a"', []],
  ['start_time < "2099-01-01T00:00:00Z" AND (text:"you fool" OR text:"a person")', ["handed-over", "stopped"]],
  ["find_slot", ["pretender"]],
  ["outcome", ["pretender"]],
];

const REFUSED: readonly [filter: string, message: RegExp][] = [
  ["outcome = BROKEN", /there is no outcome 'BROKEN'; known: FAILED, ESCALATED, GUARDRAIL/],
  ['tool = "find*"', /'tool' is compared with one whole name/],
  ["failed_tool > a", /'failed_tool' is compared with one whole name by = or !=/],
  ["agent.name = a", /'agent' is compared with one whole name/],
  ["text > a", /'text' is searched by :, e\.g\. text:"A-1001"/],
  ['text:"?!"', /a text needs a letter or a digit/],
];

async function talk(call: Rest, model: ScriptedModel): Promise<void> {
  await call("POST", `${PARENT}/apps?appId=the-clinic`, { displayName: "Clinic" });
  for (const [name, pythonCode] of Object.entries(TOOLS))
    await call("POST", `${APP}/tools?toolId=${name.replace("_", "-")}`, { pythonFunction: { name, pythonCode } });
  await call("POST", `${APP}/guardrails?guardrailId=no-insults`, {
    displayName: "No insults",
    enabled: true,
    contentFilter: { bannedContents: ["fool"], matchType: "WORD_BOUNDARY_STRING_MATCH" },
    action: { respondImmediately: { responses: [{ text: "Please be kind." }] } },
  });
  const tools = [
    ...Object.keys(TOOLS).map((name) => `${APP}/tools/${name.replace("_", "-")}`),
    `${APP}/tools/end_session`,
  ];
  const guardrails = [`${APP}/guardrails/no-insults`];
  await call("POST", `${APP}/agents?agentId=front-desk`, { displayName: "Front desk", tools, guardrails });
  await call("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` });
  for (const { id, text, answers } of CONVERSATIONS) {
    model.extend(...answers);
    const session = `${APP}/sessions/${id}`;
    await call("POST", `${session}:runSession`, { config: { session }, inputs: [{ text }] });
  }
}

async function checkFilters(server: TestServer, model: ScriptedModel): Promise<void> {
  const call = restOf(() => server);
  await talk(call, model);
  const list = (filter: string) => `${APP}/conversations?${new URLSearchParams({ filter })}`;
  for (const [filter, ids] of CASES) {
    const { conversations = [] } = (await call("GET", list(filter))) as { conversations?: { name: string }[] };
    const found = conversations.map(({ name }) => name.slice(name.lastIndexOf("/") + 1));
    assert.deepEqual(new Set(found), new Set(ids), filter);
  }
  for (const [filter, message] of REFUSED) {
    const { error } = (await (await fetch(`${server.address}/v1beta/${list(filter)}`)).json()) as {
      error?: { message: string; status: string };
    };
    assert.equal(error?.status, "INVALID_ARGUMENT", filter);
    assert.match(error.message, message);
  }
}

describe("conversations are found by what happened in them (CONV-28)", () => {
  it("on SQLite", async () => {
    const model = new ScriptedModel();
    await using server = await startTestServer({ model });
    await checkFilters(server, model);
  });

  it("on PostgreSQL", { skip: withoutPostgres() }, async (test) => {
    const postgres = await startPostgres();
    test.after(() => postgres.stop());
    const model = new ScriptedModel();
    await using server = await startTestServer({ model, config: { database: { url: postgres.url, connections: 2 } } });
    await checkFilters(server, model);
  });
});
