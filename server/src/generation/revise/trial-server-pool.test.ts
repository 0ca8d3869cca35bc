import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { createLogger } from "#base";
import type { GenerationModels, TrialServer } from "../contract.ts";
import { TrialServerPool } from "./trial-server-pool.ts";

const logger = createLogger("silent", "json", null);

/** Benches by number, and what became of them. */
class Benches {
  readonly told: string[] = [];
  readonly models: GenerationModels[] = [];

  open = async (models: GenerationModels): Promise<TrialServer> => {
    const number = this.models.push(models);
    this.told.push(`open ${number}`);
    return {
      assist: () => Promise.reject(new Error("not asked")),
      examine: () => Promise.reject(new Error("not asked")),
      clear: async () => void this.told.push(`clear ${number}`),
      close: async () => void this.told.push(`close ${number}`),
    };
  };
}

const NO_MODELS: GenerationModels = { resolve: () => assert.fail("no model is asked for") };

describe("trialServers of conversations (GEN-14)", () => {
  let trialServers: Benches;
  let warm: TrialServerPool;
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    trialServers = new Benches();
    warm = new TrialServerPool(trialServers.open, logger);
  });
  afterEach(async () => {
    await warm.close();
    mock.timers.reset();
  });

  const turn = (conversation: string) =>
    warm.use(conversation, NO_MODELS, async (trialServer) => void (await trialServer()));

  it("are opened once for two turns of a conversation, and cleared in between", async () => {
    await turn("a");
    await turn("a");
    assert.deepEqual(trialServers.told, ["open 1", "clear 1", "clear 1"]);
  });

  it("are not opened by turns that need none", async () => {
    await warm.use("a", NO_MODELS, async () => undefined);
    assert.deepEqual(trialServers.told, []);
  });

  it("are not shared by conversations", async () => {
    await turn("a");
    await turn("b");
    assert.deepEqual(trialServers.told, ["open 1", "clear 1", "open 2", "clear 2"]);
  });

  it("ask the models of the turn that has them", async () => {
    const asked: string[] = [];
    const modelsOf = (who: string): GenerationModels => ({
      resolve: (name) => {
        asked.push(`${who} ${name}`);
        return {} as never;
      },
    });
    for (const who of ["first", "second"])
      await warm.use("a", modelsOf(who), async (trialServer) => {
        await trialServer();
        trialServers.models[0]?.resolve("m");
      });
    assert.deepEqual(asked, ["first m", "second m"]);
  });

  it("are closed when nobody has talked for a while", async () => {
    await turn("a");
    mock.timers.tick(5 * 60_000);
    await new Promise((resolve) => setImmediate(resolve));
    await turn("a");
    assert.deepEqual(trialServers.told, ["open 1", "clear 1", "close 1", "open 2", "clear 2"]);
  });

  it("are closed with a turn that fails", async () => {
    const failing = warm.use("a", NO_MODELS, async (trialServer) => {
      await trialServer();
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    assert.deepEqual(trialServers.told, ["open 1", "close 1"]);
  });

  it("wait for four conversations, those that talked last", async () => {
    for (const conversation of ["a", "b", "c", "d", "a", "e"]) await turn(conversation);
    assert.deepEqual(
      trialServers.told.filter((line) => line.startsWith("close")),
      ["close 2"],
    );
  });

  it("are closed with the server, those in use after their turn", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await turn("a");
    const running = warm.use("b", NO_MODELS, async (trialServer) => {
      await trialServer();
      await promise;
    });
    await warm.close();
    resolve();
    await running;
    assert.deepEqual(trialServers.told, ["open 1", "clear 1", "open 2", "close 1", "clear 2", "close 2"]);
  });
});
