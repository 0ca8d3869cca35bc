import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { openGrpc } from "../live/grpc-client.ts";
import type { LiveClient } from "../live/messages.ts";
import { openWebSocket } from "../live/web-socket-client.ts";
import { type Rest, restOf } from "../rest.ts";

const PARENT = "projects/p/locations/us";
const APP = `${PARENT}/apps/shared`;

/** Says what it was told to be, what it heard, and how many messages there were before. */
const ECHO: LanguageModel = {
  label: "test/echo",
  capabilities: LLM_CAPABILITIES,
  async *stream({ system, messages }: ModelRequest): AsyncGenerator<StreamPart, void> {
    const manner = /manner-\w+/.exec(system)?.[0];
    const said = messages
      .at(-1)
      ?.parts.map((part) => ("text" in part ? part.text : ""))
      .join("");
    yield { kind: "text-delta", text: `${manner}: ${said} after ${messages.length - 1}` };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

describe("two servers over one database", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let servers: readonly TestServer[] = [];
  const rest = (at: number): Rest => restOf(() => servers[at % 2] as TestServer);

  before(async () => {
    postgres = await startPostgres();
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    const config = { database: { url: postgres.url, connections: 4 }, sealing };
    const start = () => startTestServer({ model: ECHO, config });
    servers = [await start(), await start()];
    const [one] = [rest(0)];
    await one("POST", `${PARENT}/apps?appId=shared`, { displayName: "Shared" });
    const agent = { displayName: "Root", llmAgent: {}, instruction: "manner-one" };
    await one("POST", `${APP}/agents?agentId=root-agent`, agent);
    await one("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  });
  after(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  async function talk(at: number, id: string, text: string): Promise<string> {
    const session = `${APP}/sessions/${id}`;
    const answer = await rest(at)("POST", `${session}:runSession`, { config: { session }, inputs: [{ text }] });
    return answer.outputs[0].text;
  }

  it("hold one session between them, turn by turn (DB-6)", async () => {
    const said = [];
    for (let turn = 0; turn < 6; turn += 1) said.push(await talk(turn, "alternating", `turn ${turn}`));
    assert.deepEqual(
      said,
      [0, 1, 2, 3, 4, 5].map((turn) => `manner-one: turn ${turn} after ${2 * turn}`),
    );
  });

  it("store every turn of a session whose turns reach both at the same time, one after the other (DB-6)", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => talk(at, "crowded", `turn ${at}`)));
    const before = answers.map((answer) => Number(/\d+$/.exec(answer)?.[0])).toSorted((left, right) => left - right);
    assert.deepEqual(
      before,
      Array.from({ length: 20 }, (_, at) => 2 * at),
    );
    const { turnCount } = await rest(1)("GET", `${APP}/conversations/crowded`);
    assert.equal(turnCount, 20);
  });

  it("run in the next turn what the other one was told to change in an app (DB-7)", async () => {
    const answers = [];
    for (const [at, manner] of ["manner-two", "manner-three", "manner-four"].entries()) {
      await rest(at)("PATCH", `${APP}/agents/root-agent?updateMask=instruction`, { instruction: manner });
      answers.push(await talk(at + 1, `changed-${at}`, "hello"));
    }
    assert.deepEqual(answers, [
      "manner-two: hello after 0",
      "manner-three: hello after 0",
      "manner-four: hello after 0",
    ]);
  });

  it("forget a session that the other one deleted", async () => {
    await talk(0, "deleted", "first");
    await rest(1)("DELETE", `${APP}/conversations/deleted`);
    assert.match(await talk(0, "deleted", "second"), /second after 0$/);
  });

  it("show each other their operations", async () => {
    const { name } = await rest(0)("POST", `${APP}:exportApp`, { exportFormat: "JSON" });
    const { done, response } = await rest(1)("GET", name);
    assert.equal(done, true);
    assert.ok(response.appContent.length > 0);
  });

  // The last one: it stops a server.
  it("go on with each other's live conversations, whose clients are told when one stops (DB-6)", async () => {
    const [stopping, staying] = servers as readonly [TestServer, TestServer];
    const wires = [
      ["over-grpc", openGrpc],
      ["over-web-socket", openWebSocket],
    ] as const;
    const talkOn = async (server: TestServer, text: string, then: (client: LiveClient) => Promise<unknown>) =>
      Promise.all(
        wires.map(async ([id, open]) => {
          await using client = await open(server.address);
          client.send({ config: { session: `${APP}/sessions/${id}` } });
          client.say(text);
          const [first] = await client.turn();
          await then(client);
          return first?.sessionOutput?.text;
        }),
      );
    const talking = Promise.withResolvers<void>();
    let open = wires.length;
    const before = talkOn(stopping, "first", async (client) => {
      open -= 1;
      if (open === 0) talking.resolve();
      assert.ok((await client.next())?.goAway);
    });
    await talking.promise;
    servers = [staying];
    await stopping[Symbol.asyncDispose]();
    assert.deepEqual(await before, ["manner-four: first after 0", "manner-four: first after 0"]);
    const after = await talkOn(staying, "second", async () => {});
    assert.deepEqual(after, ["manner-four: second after 2", "manner-four: second after 2"]);
  });
});
