import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ces_v1 } from "googleapis/build/src/apis/ces/v1.js";
import { ces_v1beta } from "googleapis/build/src/apis/ces/v1beta.js";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";

let guide: AgentServer;
before(async () => {
  guide = await startAgentServer();
  await guide.send("POST", `${APP}/versions?appVersionId=first`, { displayName: "first" });
  await guide.send("POST", `${APP}/deployments?deploymentId=the-phone`, {
    displayName: "phone",
    appVersion: `${APP}/versions/first`,
    channelProfile: { channelType: "API" },
  });
});
after(() => guide[Symbol.asyncDispose]());

const clients = {
  v1: () => new ces_v1.Ces({ rootUrl: `${guide.server.address}/` }) as unknown as ces_v1beta.Ces,
  v1beta: () => new ces_v1beta.Ces({ rootUrl: `${guide.server.address}/` }),
};
const requestBody = { message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "say Hello there." }] } };

for (const revision of ["v1", "v1beta"] as const) {
  describe(`the googleapis client for CES ${revision} (A2A-1)`, () => {
    const places = () => {
      const { apps } = clients[revision]().projects.locations;
      return [
        { tenant: APP, resource: apps, message: apps.message },
        { tenant: `${APP}/versions/first`, resource: apps.versions, message: apps.versions.message },
        { tenant: `${APP}/deployments/the-phone`, resource: apps.deployments, message: apps.deployments.message },
      ];
    };

    it("reads the card of an app, a version and a deployment", async () => {
      for (const { tenant, resource } of places()) {
        const { data } = await resource.getExtendedAgentCard({ tenant });
        assert.equal(data.name, "City guide");
        assert.ok(
          data.supportedInterfaces?.some((each) => each.tenant === tenant),
          tenant,
        );
      }
    });

    it("sends messages to each", async () => {
      for (const { tenant, message } of places()) {
        const { data } = await message.send({ tenant, requestBody });
        assert.equal(data.task?.status?.state, "TASK_STATE_COMPLETED");
        assert.equal(data.task?.artifacts?.[0]?.parts?.[0]?.text, "Hello there.");
      }
    });

    it("streams from each", async () => {
      for (const { tenant, message } of places()) {
        const { data } = await message.stream({ tenant, requestBody });
        const events = data as unknown as readonly ces_v1beta.Schema$LfA2aV1StreamResponse[];
        assert.ok(events[0]?.task);
        assert.equal(events.at(-1)?.statusUpdate?.status?.state, "TASK_STATE_COMPLETED");
      }
    });
  });
}
