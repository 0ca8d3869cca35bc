import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { SessionConfigSchema } from "@frontdesk/protos/ces/session_service";
import { ANONYMOUS, createLogger } from "#base";
import type { TurnEvent, TurnRequest } from "#session";
import { Code, ConnectError, reasonOf } from "#status";
import type { ReplicaAddress } from "#storage";
import { newConnectionKey } from "./connection-key.ts";
import type { RunForwarded } from "./contract.ts";
import { createTurnClient } from "./turn-client.ts";
import { openTurnServer } from "./turn-server.ts";

const logger = createLogger("silent");
const NEVER = new AbortController().signal;
const SESSION = "projects/p/locations/us/apps/a/sessions/talking";
const REQUEST = {
  session: SESSION,
  config: create(SessionConfigSchema, { session: SESSION }),
  inputs: [],
  source: 1,
  streamText: true,
  isForwardable: true,
  sender: { caller: ANONYMOUS, peer: { address: "192.0.2.7" } },
} as unknown as TurnRequest;

describe("a turn between two servers (DB-53)", () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  async function serverFor(run: RunForwarded) {
    const key = newConnectionKey();
    const server = await openTurnServer({ host: "127.0.0.1", port: 0, id: "one", key, run, logger });
    opened.push(server);
    const address: ReplicaAddress = { id: "one", host: "127.0.0.1", port: server.port, sealedKey: key };
    return { server, address };
  }
  function clientOf({ alive = true, openKey = (server: ReplicaAddress) => server.sealedKey } = {}) {
    const outcomes: string[] = [];
    const observe = (outcome: string) => void outcomes.push(outcome);
    const client = createTurnClient({ openKey, isAlive: async () => alive, observe, logger });
    opened.push(client);
    return { client, outcomes };
  }
  async function* unending({ mayBegin }: Parameters<RunForwarded>[0]): AsyncGenerator<TurnEvent, void> {
    await mayBegin();
    yield { kind: "text-delta", agent: "Root", text: "begun", turnIndex: 1 };
    await new Promise(() => {});
  }

  it("brings who asked, and what happens as it happens", async () => {
    const { address } = await serverFor(async function* (turn) {
      await turn.mayBegin();
      yield {
        kind: "text-delta",
        agent: "Root",
        text: `${turn.sender.peer.address} in ${turn.config.session}`,
        turnIndex: 1,
      };
    });
    const { client, outcomes } = clientOf();
    const events = await client.forward(address, REQUEST, NEVER);
    assert.ok(events);
    const texts = [];
    for await (const event of events) texts.push(event.kind === "text-delta" ? event.text : event.kind);
    assert.deepEqual(texts, [`192.0.2.7 in ${SESSION}`]);
    assert.deepEqual(outcomes, ["sent"]);
  });

  it("whose server is gone fails, and may be stored", async () => {
    const { address } = await serverFor(unending);
    const { client, outcomes } = clientOf({ alive: false });
    const events = await client.forward(address, REQUEST, NEVER);
    assert.ok(events);
    const error = await Array.fromAsync(events).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ConnectError);
    assert.deepEqual([error.code, reasonOf(error)], [Code.Unavailable, "SERVER_LOST"]);
    assert.match(error.rawMessage, /Idempotency-Key/);
    assert.deepEqual(outcomes, ["sent", "lost"]);
  });

  it("is not taken by a server that stops, or for a key that is another", async () => {
    const { server, address } = await serverFor(unending);
    const stranger = clientOf({ openKey: () => newConnectionKey() });
    assert.equal(await stranger.client.forward(address, REQUEST, NEVER), undefined);
    server.drain();
    const { client, outcomes } = clientOf();
    assert.equal(await client.forward(address, REQUEST, NEVER), undefined);
    assert.deepEqual([stranger.outcomes, outcomes], [["refused"], ["refused"]]);
  });

  it("is looked after with the others that its server has", async () => {
    const { address } = await serverFor(unending);
    let looks = 0;
    const looked = Promise.withResolvers<void>();
    const isAlive = async () => {
      looks += 1;
      looked.resolve();
      return true;
    };
    const openKey = (server: ReplicaAddress) => server.sealedKey;
    const client = createTurnClient({ openKey, isAlive, observe: () => undefined, logger });
    opened.push(client);
    const turns = await Promise.all(Array.from({ length: 50 }, () => client.forward(address, REQUEST, NEVER)));
    const ended = turns.map((events) => Array.fromAsync(events ?? []).catch(() => undefined));
    await looked.promise;
    // The others were sent at the same time, so their looks come now.
    await delay(200);
    assert.ok(looks < 10, `${looks} looks for ${turns.length} turns`);
    client.close();
    await Promise.all(ended);
  });

  it("that waits for its session at a server that is gone comes back, and does not run there any more", async () => {
    const free = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const { address } = await serverFor(async function* ({ mayBegin }) {
      await free.promise;
      yield* await mayBegin().then(
        () => [],
        (error: unknown) => {
          ended.resolve(error);
          throw error;
        },
      );
      ended.resolve("it ran");
    });
    const { client, outcomes } = clientOf({ alive: false });
    assert.equal(await client.forward(address, REQUEST, NEVER), undefined);
    assert.deepEqual(outcomes, ["sent", "returned"]);
    free.resolve();
    assert.ok((await ended.promise) instanceof Error);
  });
});
