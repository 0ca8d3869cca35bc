import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ScriptedModel, say, startTestServer, type TestServer } from "#testing";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-shop`;

/** One conversation each: its id and what the user said in each turn. */
const CONVERSATIONS = [
  { id: "order", texts: ["hello there"] },
  { id: "zebra", texts: ["an order of lamps"] },
  { id: "both-order", texts: ["one zebra order", "again"] },
  { id: "neither", texts: ["goodbye"] },
] as const;

let server: TestServer;
/** Start times, the oldest first; all differ. */
let startTimes: readonly string[];
let endTimes: readonly string[];
const model = new ScriptedModel();

before(async () => {
  server = await startTestServer({ model });
  await made("POST", `${PARENT}/apps?appId=the-shop`, {
    displayName: "Shop",
    languageSettings: { defaultLanguageCode: "de-DE" },
  });
  await made("POST", `${APP}/agents?agentId=front`, { displayName: "Front", instruction: "Help." });
  await made("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front` });
  for (const { id, texts } of CONVERSATIONS) {
    const session = `${APP}/sessions/${id}`;
    for (const text of texts) {
      model.extend(say("Certainly."));
      await made("POST", `${session}:runSession`, { config: { session }, inputs: [{ text }] });
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const listed = (await list("")).conversations ?? [];
  startTimes = listed.map(({ startTime }) => startTime).reverse();
  endTimes = listed.map(({ endTime }) => endTime).reverse();
});
after(() => server[Symbol.asyncDispose]());

describe("the parent of ListConversations (CONV-6)", () => {
  const parents: readonly [parent: string, status: string, message: RegExp][] = [
    [`${PARENT}/apps/-`, "INVALID_ARGUMENT", /^parent: '.*' has a wildcard.*Name one app\.$/],
    ["projects/local/locations/-/apps/the-shop", "INVALID_ARGUMENT", /^parent: '.*' has a wildcard/],
    [`${PARENT}/apps/another-shop`, "NOT_FOUND", /'projects\/local\/locations\/us\/apps\/another-shop' was not found/],
  ];
  for (const [parent, status, message] of parents) {
    it(`is one app that exists, not ${parent}`, async () => {
      const response = await fetch(`${server.address}/v1beta/${parent}/conversations`);
      const { error } = (await response.json()) as Listed;
      assert.equal(error?.status, status);
      assert.match(error?.message ?? "", message);
    });
  }
});

describe("the filter of ListConversations", () => {
  /** What a client may write, by the ids of the conversations that it means. `T` and `E` are the start and the end of the third conversation. */
  const cases: readonly [filter: string, ids: readonly string[]][] = [
    ['(customer_conversation_id="order" OR ces_transcript.search("order"))', ["order", "zebra", "both-order"]],
    ['(customer_conversation_id="order" OR ces_transcript.search("order")) AND start_time < "T"', ["order", "zebra"]],
    ['start_time >= "T" (customer_conversation_id="order" OR ces_transcript.search("order"))', ["both-order"]],
    ['customer_conversation_id="order"', ["order"]],
    ['customer_conversation_id="order" OR customer_conversation_id="neither"', ["order", "neither"]],
    ['customer_conversation_id=("order" OR "neither")', ["order", "neither"]],
    ['NOT customer_conversation_id="order"', ["zebra", "both-order", "neither"]],
    ['customer_conversation_id!="order"', ["zebra", "both-order", "neither"]],
    ["customer_conversation_id:order", ["order", "both-order"]],
    ['customer_conversation_id="*order"', ["order", "both-order"]],
    ['ces_transcript.search("zebra order")', ["both-order"]],
    ['-ces_transcript.search("order")', ["order", "neither"]],
    ['NOT (ces_transcript.search("order") OR customer_conversation_id="neither")', ["order"]],
    ['NOT (ces_transcript.search("order") AND start_time >= "T")', ["order", "zebra", "neither"]],
    ['ces_transcript.search("hello") OR start_time > "T"', ["order", "neither"]],
    ['ces_transcript.search("lamps") OR turn_count > 1', ["zebra", "both-order"]],
    ['(ces_transcript.search("lamps") turn_count = 1) OR name:neither', ["zebra", "neither"]],
    ['((ces_transcript.search("hello") OR (goodbye AND turn_count=1)) AND NOT name:order)', ["neither"]],
    ["hello OR goodbye", ["order", "neither"]],
    ["order -zebra", ["zebra"]],
    ['ces_transcript.search("?!") OR goodbye', ["neither"]],
    ['start_time < "T" OR start_time > "T"', ["order", "zebra", "neither"]],
    ['NOT start_time > "T"', ["order", "zebra", "both-order"]],
    ['end_time > "E"', ["neither"]],
    ['endTime = "E"', ["both-order"]],
    ['NOT end_time >= "E" OR turn_count > 1', ["order", "zebra", "both-order"]],
    ["end_time:*", ["order", "zebra", "both-order", "neither"]],
    ["turn_count > 1", ["both-order"]],
    ["NOT turnCount >= 2", ["order", "zebra", "neither"]],
    ["turn_count != 1", ["both-order"]],
    ["turn_count < 1.5", ["order", "zebra", "neither"]],
    ["turn_count < 99999999999", ["order", "zebra", "both-order", "neither"]],
    ["source = live AND turn_count = 2", ["both-order"]],
    ["source != LIVE", []],
    ['language_code = "de-DE" -zebra', ["order", "zebra", "neither"]],
    ['language_code != "de-DE" OR turn_count = 2', ["both-order"]],
    ['language_code = "DE-de"', []],
    ['language_code = "de*" AND entry_agent = "" AND turn_count > 0', ["order", "zebra", "both-order", "neither"]],
    ['NOT entry_agent = ""', []],
    ['app_version = "a" OR deployment = "b"', []],
    ['NOT (app_version = "a" OR deployment = "b") AND turn_count = 2', ["both-order"]],
  ];
  for (const [filter, ids] of cases) {
    it(`finds by ${filter}`, async () => {
      assert.deepEqual(new Set(await found(filter)), new Set(ids));
    });
  }

  it("finds by any combination of what it supports, page by page too", async () => {
    for (const { filter, ids } of combinations()) {
      assert.deepEqual(await found(filter), ids, filter);
      assert.deepEqual(await found(filter, 1), ids, `${filter}, one a page`);
    }
  });

  const refused: readonly [filter: string, message: RegExp][] = [
    ["turns.messages.role = user", /'turns' cannot be tested in a list.*ces_transcript\.search/],
    ["hello OR NOT messages:*", /'messages' cannot be tested in a list/],
    ["caller = me", /no field 'caller'/],
    ["hello OR transcript.search(x)", /no function 'transcript\.search'; known: ces_transcript\.search/],
    ['hello OR ces_transcript.search("a", "b")', /ces_transcript\.search takes one text/],
    [`ces_transcript.search("${"word ".repeat(17)}")`, /17 words.*16/],
    [Array.from({ length: 17 }, (_, at) => `word${at}`).join(" OR "), /17 words.*16/],
    ["start_time > yesterday OR hello", /'yesterday' is not a time/],
  ];
  for (const [filter, message] of refused) {
    it(`refuses ${filter.slice(0, 60)}`, async () => {
      const { error } = await list(filter);
      assert.equal(error?.status, "INVALID_ARGUMENT");
      assert.match(error.message, message);
    });
  }
});

/** Every shape of AND, OR and NOT over three of the supported restrictions, with the ids that set algebra gives. */
function* combinations(): Generator<{ filter: string; ids: readonly string[] }> {
  const leaves: readonly Expected[] = [
    { filter: 'ces_transcript.search("order")', ids: ["zebra", "both-order"] },
    { filter: 'customer_conversation_id="order"', ids: ["order"] },
    { filter: 'start_time >= "T"', ids: ["both-order", "neither"] },
    { filter: "turn_count = 1", ids: ["order", "zebra", "neither"] },
    { filter: "goodbye", ids: ["neither"] },
  ];
  const signed = leaves.flatMap((leaf) => [leaf, not(leaf)]);
  for (const a of signed) {
    for (const b of signed) {
      yield newestFirst(both(a, b));
      yield newestFirst(not(either(a, b)));
      for (const c of leaves) yield newestFirst(either(both(a, not(b)), c));
    }
  }
}

interface Expected {
  readonly filter: string;
  readonly ids: readonly string[];
}

const not = ({ filter, ids }: Expected): Expected => ({
  filter: `NOT (${filter})`,
  ids: CONVERSATIONS.map(({ id }) => id).filter((id) => !ids.includes(id)),
});
const both = (a: Expected, b: Expected): Expected => ({
  filter: `(${a.filter} AND ${b.filter})`,
  ids: a.ids.filter((id) => b.ids.includes(id)),
});
const either = (a: Expected, b: Expected): Expected => ({
  filter: `(${a.filter} OR ${b.filter})`,
  ids: [...new Set([...a.ids, ...b.ids])],
});
const newestFirst = ({ filter, ids }: Expected): Expected => ({
  filter,
  ids: CONVERSATIONS.map(({ id }) => id)
    .filter((id) => ids.includes(id))
    .reverse(),
});

interface Listed {
  readonly conversations?: readonly { readonly name: string; readonly startTime: string; readonly endTime: string }[];
  readonly nextPageToken?: string;
  readonly error?: { readonly status: string; readonly message: string };
}

/** Ids of all pages. `T` and `E` in the filter stand for the start and the end of the third conversation. */
async function found(filter: string, pageSize = 0): Promise<readonly string[]> {
  const text = filter.replaceAll('"T"', `"${startTimes[2]}"`).replaceAll('"E"', `"${endTimes[2]}"`);
  const ids: string[] = [];
  let pageToken = "";
  do {
    const { conversations = [], nextPageToken = "", error } = await list(text, { pageSize: `${pageSize}`, pageToken });
    assert.equal(error, undefined, error?.message);
    ids.push(...conversations.map(({ name }) => name.slice(name.lastIndexOf("/") + 1)));
    pageToken = nextPageToken;
  } while (pageToken !== "");
  return ids;
}

async function list(filter: string, page: Readonly<Record<string, string>> = {}): Promise<Listed> {
  const response = await fetch(
    `${server.address}/v1beta/${APP}/conversations?${new URLSearchParams({ filter, ...page })}`,
  );
  return (await response.json()) as Listed;
}

async function made(method: string, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.address}/v1beta/${path}`, { method, headers, body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.text());
}
