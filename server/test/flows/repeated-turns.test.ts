import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import type { JsonObject } from "#base";
import {
  call,
  ScriptedModel,
  say,
  startPostgres,
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type ThrowawayPostgres,
  withoutPostgres,
} from "#testing";

const PARENT = "projects/local/locations/us";
/** Another one in each test, since the tests share a database. */
let app = "";
beforeEach(() => {
  app = `${PARENT}/apps/${crypto.randomUUID()}`;
});
const SHOP = {
  displayName: "Shop",
  variableDeclarations: [{ name: "tier", schema: { type: "STRING" } }],
};

/** The outputs of a turn, each by what it says. */
interface Answer {
  readonly status: number;
  readonly outputs: readonly JsonObject[];
  readonly message: string;
}

async function send(server: TestServer, method: string, path: string, body?: JsonObject, headers: JsonObject = {}) {
  const response = await fetch(`${server.address}/${path}`, {
    method,
    headers: { "content-type": "application/json", ...(headers as Record<string, string>) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as JsonObject };
}

async function makeShop(server: TestServer): Promise<void> {
  const made = async (method: string, path: string, body: JsonObject) => {
    const { status, json } = await send(server, method, `v1beta/${path}`, body);
    assert.equal(status, 200, JSON.stringify(json));
  };
  await made("POST", `${PARENT}/apps?appId=${app.slice(app.lastIndexOf("/") + 1)}`, SHOP);
  await made("POST", `${app}/tools?toolId=show_map`, { clientFunction: { name: "show_map", description: "A map." } });
  const tools = ["show_map", "end_session"].map((tool) => `${app}/tools/${tool}`);
  await made("POST", `${app}/agents?agentId=front-desk`, { displayName: "Front", instruction: "Help.", tools });
  await made("PATCH", `${app}?updateMask=rootAgent`, { rootAgent: `${app}/agents/front-desk` });
}

/** One turn with a key; with "" one without. */
async function turn(
  server: TestServer,
  key: string,
  inputs: readonly JsonObject[],
  { session = "session-1", path = "v1beta" }: { session?: string; path?: string } = {},
): Promise<Answer> {
  const name = `${app}/sessions/${session}`;
  const method = path === "v1beta" ? `v1beta/${name}:runSession` : path;
  const body = { config: { session: name, excludeDiagnosticInfo: true }, inputs: [...inputs] };
  const { status, json } = await send(server, "POST", method, body, key === "" ? {} : { "idempotency-key": key });
  const { message = json.message ?? "" } = (json.error ?? {}) as JsonObject;
  return { status, outputs: (json.outputs ?? []) as readonly JsonObject[], message: String(message) };
}

const turnsOf = async (server: TestServer) =>
  ((await send(server, "GET", `v1beta/${app}/conversations/session-1`)).json.turns as readonly JsonObject[]).length;

/** What holds over either database. `where` is where the servers of one test store: the second one goes on where the first one stopped. */
function repeatedTurns(where: () => TestServerOptions): void {
  it("runs once, over every wire and after a restart, and has its calls and its end again", async () => {
    const told = { toolResponses: [{ id: "c-1", tool: `${app}/tools/show_map`, response: { shown: true } }] };
    const asked: Answer[] = [];
    {
      using model = new ScriptedModel(
        say("Ordered."),
        [...say("Here."), ...call("show_map", { zoom: 1 }, "c-1")],
        say("You see it."),
        [...say("Bye."), ...call("end_session", { reason: "done", session_escalated: true })],
      );
      await using server = await startTestServer({ model, ...where() });
      await makeShop(server);
      asked.push(await turn(server, "order-1", [{ text: "two roses" }]));
      // Over another wire, with variables that the page has set since.
      const connect = "google.cloud.ces.v1.SessionService/RunSession";
      const again: readonly JsonObject[] = [{ variables: { tier: "gold" } }, { text: "two roses" }];
      assert.deepEqual(await turn(server, "order-1", again, { path: connect }), asked[0]);
      asked.push(await turn(server, "map-1", [{ text: "where" }]));
      assert.deepEqual(await turn(server, "map-1", [{ text: "where" }]), asked[1]);
      await turn(server, "map-2", [{ toolResponses: told }]);
      // The call is answered by now, so it is not asked for once more.
      const later = await turn(server, "map-1", [{ text: "where" }]);
      assert.deepEqual(later.outputs, [{ text: "Here.", turnIndex: 2, turnCompleted: true }]);
      asked.push(await turn(server, "bye", [{ text: "goodbye" }]));
    }
    assert.deepEqual(
      asked.map(({ outputs }) =>
        outputs.map(({ text = "", toolCalls, endSession }) => text || toolCalls || endSession),
      ),
      [
        ["Ordered."],
        [
          "Here.",
          { toolCalls: [{ id: "c-1", tool: `${app}/tools/show_map`, displayName: "show_map", args: { zoom: 1 } }] },
        ],
        ["Bye.", { metadata: { reason: "done", session_escalated: true } }],
      ],
    );
    using model = new ScriptedModel();
    await using server = await startTestServer({ model, ...where() });
    assert.deepEqual(await turn(server, "order-1", [{ text: "two roses" }]), asked[0]);
    assert.deepEqual(await turn(server, "bye", [{ text: "goodbye" }]), asked[2]);
    assert.equal((await turn(server, "more", [{ text: "hello?" }])).status, 400);
    assert.equal(await turnsOf(server), 4);
  });

  it("runs once also when its key comes in the address, which older servers leave aside", async () => {
    using model = new ScriptedModel(say("Ordered."));
    await using server = await startTestServer({ model, ...where() });
    await makeShop(server);
    const session = `${app}/sessions/session-1`;
    // WIRE-80: what browsers make of the parameter, and other clients.
    const ask = (query: string) =>
      send(server, "POST", `v1beta/${session}:runSession?${query}`, {
        config: { session, excludeDiagnosticInfo: true },
        inputs: [{ text: "two roses" }],
      });
    const first = await ask("$idempotency-key=order-1");
    assert.equal(first.status, 200, JSON.stringify(first.json));
    assert.deepEqual(await ask("alt=json&%24idempotency-key=order-1"), first);
    assert.equal(await turnsOf(server), 1);
    assert.deepEqual(await turn(server, "order-1", [{ text: "two roses" }]), {
      status: 200,
      outputs: first.json.outputs,
      message: "",
    });
  });

  it("waits for the turn that runs, whose client has lost its connection", async () => {
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    using model = new ScriptedModel(call("show_map", {}, "c-1"), async () => {
      asked.resolve();
      await goOn.promise;
      return say("It is shown.");
    });
    await using server = await startTestServer({ model, ...where() });
    await makeShop(server);
    await turn(server, "", [{ text: "where" }]);
    const inputs = [{ toolResponses: { toolResponses: [{ id: "c-1", tool: `${app}/tools/show_map`, response: {} }] } }];
    const lost = turn(server, "map-2", inputs);
    await asked.promise;
    const again = turn(server, "map-2", inputs);
    goOn.resolve();
    assert.deepEqual(
      (await again).outputs.map(({ text }) => text),
      ["It is shown."],
    );
    assert.deepEqual(await again, await lost);
    assert.equal(await turnsOf(server), 2);
  });

  it("is a turn of its own without a key, with another one, and in another session", async () => {
    using model = new ScriptedModel(...["One.", "Two.", "Three.", "Four."].map((text) => say(text)));
    await using server = await startTestServer({ model, ...where() });
    await makeShop(server);
    const said = [];
    for (const [key, session] of [
      ["", "session-1"],
      ["", "session-1"],
      ["k", "session-1"],
      ["k", "session-2"],
    ] as const)
      said.push((await turn(server, key, [{ text: "hi" }], { session })).outputs[0]?.text);
    assert.deepEqual(said, ["One.", "Two.", "Three.", "Four."]);
  });

  it("is refused with other inputs, and with a key of no length or too much", async () => {
    using model = new ScriptedModel(say("Ordered."), say("Read."));
    await using server = await startTestServer({ model, ...where() });
    await makeShop(server);
    await turn(server, "order-1", [{ text: "two roses" }]);
    const other = await turn(server, "order-1", [{ text: "three roses" }]);
    assert.deepEqual(
      [other.status, other.message],
      [
        400,
        "Idempotency-Key: 'order-1' is the key of turn 1, whose inputs were others; give each turn a key of its own",
      ],
    );
    // The whole of an input counts, however long it is.
    const file = (end: string) => ({
      blob: { mimeType: "application/pdf", data: Buffer.from("p".repeat(3_000_000) + end).toString("base64") },
    });
    const answers = [];
    for (const end of ["a", "a", "b"]) answers.push((await turn(server, "file-1", [file(end)])).status);
    assert.deepEqual(answers, [200, 200, 400]);
    const long = await turn(server, "k".repeat(201), [{ text: "hi" }]);
    assert.deepEqual([long.status, long.message], [400, "Idempotency-Key: must have 1 to 200 characters"]);
  });
}

describe("a turn that is asked for twice", () => {
  let dataDir = "";
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "frontdesk-repeated-"));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));
  repeatedTurns(() => ({ dataDir }));
});

describe("a turn that is asked for twice, over PostgreSQL", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());
  const where = () => ({
    config: {
      database: { url: postgres.url, connections: 2 },
      sealing: { from: "environment", text: Buffer.alloc(32, 1).toString("base64") },
    } as const,
  });
  repeatedTurns(where);

  it("runs once when the second request reaches another server, during the turn and after it", async () => {
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    using model = new ScriptedModel(say("Ordered."), call("show_map", {}, "c-1"), async () => {
      asked.resolve();
      await goOn.promise;
      return say("It is shown.");
    });
    await using one = await startTestServer({ model, ...where() });
    await using two = await startTestServer({ model, ...where() });
    await makeShop(one);
    const ordered = await turn(one, "order-1", [{ text: "two roses" }]);
    await turn(two, "map-1", [{ text: "where" }]);
    const inputs = [{ toolResponses: { toolResponses: [{ id: "c-1", tool: `${app}/tools/show_map`, response: {} }] } }];
    const lost = turn(one, "map-2", inputs);
    await asked.promise;
    const again = turn(two, "map-2", inputs);
    goOn.resolve();
    assert.deepEqual(
      (await again).outputs.map(({ text }) => text),
      ["It is shown."],
    );
    assert.deepEqual(await again, await lost);
    assert.deepEqual(await turn(two, "order-1", [{ text: "two roses" }]), ordered);
    assert.equal(await turnsOf(two), 3);
  });
});
