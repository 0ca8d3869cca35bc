import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AgentService, type CreateAgentRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { systemClock, systemIds } from "#base";
import { createResources, type Resources } from "#resources";
import { APP, LOCATION, openResources } from "./open-resources.ts";

/** A second server over the same store: it shares no memory with the first, so only the store can keep them apart. */
function secondServer(store: Parameters<typeof createResources>[0]["store"]): Resources {
  const inspectPython = async () => ({ kind: "module" as const, functions: [] });
  return createResources({ store, clock: systemClock, ids: systemIds, inspectPython });
}

describe("two servers over one store", () => {
  it("lose no change and number all of them", async () => {
    await using test = await openResources();
    const other = secondServer(test.storage.resources);
    const { createAgent } = AgentService.method;
    const add = (resources: Resources, id: string) => {
      const init: MessageInitShape<typeof CreateAgentRequestSchema> = {
        parent: APP,
        agentId: id,
        agent: { displayName: id },
      };
      return resources.standard.invoke(createAgent, create(createAgent.input, init));
    };
    const ids = Array.from({ length: 8 }, (_, index) => `agent-${index}`);
    await Promise.all(ids.map((id, index) => add(index % 2 ? other : test.resources, id)));
    const { agents } = await test.call("listAgents", { parent: APP });
    assert.deepEqual(
      agents.map(({ displayName }) => displayName),
      ids,
    );
    const { changelogs } = await test.call("listChangelogs", { parent: APP });
    assert.deepEqual(
      changelogs.map(({ sequenceNumber }) => Number(sequenceNumber)),
      [9, 8, 7, 6, 5, 4, 3, 2, 1],
    );
  });

  it("give one display name to one agent only", async () => {
    await using test = await openResources();
    const other = secondServer(test.storage.resources);
    const { createAgent } = AgentService.method;
    const add = (resources: Resources) =>
      resources.standard.invoke(
        createAgent,
        create(createAgent.input, { parent: APP, agent: { displayName: "Sales" } }),
      );
    const outcomes = await Promise.allSettled([add(test.resources), add(other), add(test.resources), add(other)]);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal((await test.call("listAgents", { parent: APP })).agents.length, 1);
  });

  it("leave no orphans when one deletes the app that the other writes to", async () => {
    await using test = await openResources();
    const other = secondServer(test.storage.resources);
    const { createAgent } = AgentService.method;
    const creation = other.standard.invoke(
      createAgent,
      create(createAgent.input, { parent: APP, agent: { displayName: "Late" } }),
    );
    await Promise.allSettled([test.call("deleteApp", { name: APP }), creation]);
    await test.call("createApp", { parent: LOCATION, appId: "garden", app: { displayName: "Again" } });
    assert.deepEqual((await test.call("listAgents", { parent: APP })).agents, []);
  });
});
