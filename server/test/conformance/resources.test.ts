import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe } from "node:test";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { Operations } from "@frontdesk/protos/google/longrunning/operations";
import { BadRequestSchema, ResourceInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { startTestServer, type TestServer } from "#testing";
import { verifies, type Wire } from "./verifies.ts";

const PARENT = "projects/test/locations/us";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());
const address = () => server.address;

/** A fresh app, so that no test sees another's resources. */
async function newApp(wire: Wire): Promise<string> {
  const appId = `app-${randomUUID().slice(0, 8)}`;
  await wire.client(AgentService).createApp({ parent: PARENT, appId, app: { displayName: appId } });
  return `${PARENT}/apps/${appId}`;
}

/** The error of a call that has to fail. */
async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  return assert.fail("the call did not fail");
}

const fieldsOf = (error: ConnectError) =>
  error.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations.map((violation) => violation.field));

describe("standard methods", () => {
  verifies("create-made-id", address, async (wire) => {
    const parent = await newApp(wire);
    const agent = await wire.client(AgentService).createAgent({ parent, agent: { displayName: "Helper" } });
    assert.match(agent.name, new RegExp(`^${parent}/agents/[a-zA-Z0-9][a-zA-Z0-9-_]{4,35}$`));
    assert.ok(agent.createTime && agent.etag);
  });

  verifies("create-given-id", address, async (wire) => {
    const parent = await newApp(wire);
    const request = { parent, agentId: "helper", agent: { displayName: "Helper" } };
    assert.equal((await wire.client(AgentService).createAgent(request)).name, `${parent}/agents/helper`);
    const again = await errorOf(wire.client(AgentService).createAgent({ ...request, agent: { displayName: "Other" } }));
    assert.equal(again.code, Code.AlreadyExists);
  });

  verifies("create-bad-id", address, async (wire) => {
    const parent = await newApp(wire);
    const error = await errorOf(
      wire.client(AgentService).createAgent({ parent, agentId: "root", agent: { displayName: "Helper" } }),
    );
    assert.deepEqual([error.code, fieldsOf(error)], [Code.InvalidArgument, ["agent_id"]]);
  });

  verifies("create-missing-parent", address, async (wire) => {
    const parent = `${PARENT}/apps/nowhere`;
    const error = await errorOf(wire.client(AgentService).createAgent({ parent, agent: { displayName: "Helper" } }));
    assert.equal(error.code, Code.NotFound);
  });

  verifies("required-fields", address, async (wire) => {
    const parent = await newApp(wire);
    const error = await errorOf(wire.client(AgentService).createDeployment({ parent, deployment: {} }));
    assert.equal(error.code, Code.InvalidArgument);
    assert.deepEqual(fieldsOf(error).toSorted(), ["deployment.channel_profile", "deployment.display_name"]);
  });

  verifies("get-missing", address, async (wire) => {
    const name = `${PARENT}/apps/nowhere`;
    const error = await errorOf(wire.client(AgentService).getApp({ name }));
    const [info] = error.findDetails(ResourceInfoSchema);
    assert.deepEqual([error.code, info?.resourceName], [Code.NotFound, name]);
  });

  verifies("list-pages", address, async (wire) => {
    const parent = await newApp(wire);
    for (const displayName of ["One", "Two", "Three"])
      await wire.client(AgentService).createAgent({ parent, agent: { displayName } });
    const first = await wire.client(AgentService).listAgents({ parent, pageSize: 2 });
    const second = await wire.client(AgentService).listAgents({ parent, pageSize: 2, pageToken: first.nextPageToken });
    const names = [...first.agents, ...second.agents].map(({ displayName }) => displayName);
    assert.deepEqual([names.toSorted(), first.agents.length, second.nextPageToken], [["One", "Three", "Two"], 2, ""]);
  });

  verifies("list-token-bound", address, async (wire) => {
    const parent = await newApp(wire);
    for (const displayName of ["One", "Two"])
      await wire.client(AgentService).createAgent({ parent, agent: { displayName } });
    const { nextPageToken: pageToken } = await wire.client(AgentService).listAgents({ parent, pageSize: 1 });
    const error = await errorOf(
      wire.client(AgentService).listAgents({ parent, pageSize: 1, pageToken, filter: 'display_name="One"' }),
    );
    assert.deepEqual([error.code, fieldsOf(error)], [Code.InvalidArgument, ["page_token"]]);
  });

  verifies("list-filter", address, async (wire) => {
    const parent = await newApp(wire);
    for (const displayName of ["Orders", "Returns"])
      await wire.client(AgentService).createAgent({ parent, agent: { displayName } });
    const { agents } = await wire.client(AgentService).listAgents({ parent, filter: 'display_name="Returns"' });
    assert.deepEqual(
      agents.map(({ displayName }) => displayName),
      ["Returns"],
    );
    const filter = 'display_name = ("Returns" OR "Refunds")';
    const composite = await wire.client(AgentService).listAgents({ parent, filter });
    assert.deepEqual(
      composite.agents.map(({ displayName }) => displayName),
      ["Returns"],
    );
  });

  verifies("list-bad-filter", address, async (wire) => {
    const parent = await newApp(wire);
    const error = await errorOf(wire.client(AgentService).listAgents({ parent, filter: "display_name = (" }));
    assert.deepEqual([error.code, fieldsOf(error)], [Code.InvalidArgument, ["filter"]]);
    assert.match(error.rawMessage, /character \d+/);
  });

  verifies("list-order", address, async (wire) => {
    const parent = await newApp(wire);
    for (const agentId of ["agent-b", "agent-a", "agent-c"])
      await wire.client(AgentService).createAgent({ parent, agentId, agent: { displayName: agentId } });
    const { agents } = await wire.client(AgentService).listAgents({ parent, orderBy: "name desc" });
    assert.deepEqual(
      agents.map(({ displayName }) => displayName),
      ["agent-c", "agent-b", "agent-a"],
    );
  });

  verifies("update-mask", address, async (wire) => {
    const parent = await newApp(wire);
    const { name } = await wire
      .client(AgentService)
      .createAgent({ parent, agent: { displayName: "Helper", description: "old", instruction: "stay" } });
    const agent = { name, displayName: "Ignored", description: "new", instruction: "ignored" };
    const updated = await wire.client(AgentService).updateAgent({ agent, updateMask: { paths: ["description"] } });
    assert.deepEqual([updated.displayName, updated.description, updated.instruction], ["Helper", "new", "stay"]);
  });

  verifies("update-no-mask", address, async (wire) => {
    const parent = await newApp(wire);
    const { name } = await wire
      .client(AgentService)
      .createAgent({ parent, agent: { displayName: "Helper", description: "old" } });
    const updated = await wire.client(AgentService).updateAgent({ agent: { name, displayName: "Renamed" } });
    assert.deepEqual([updated.displayName, updated.description], ["Renamed", "old"]);
  });

  verifies("update-star", address, async (wire) => {
    const parent = await newApp(wire);
    const { name } = await wire
      .client(AgentService)
      .createAgent({ parent, agent: { displayName: "Helper", description: "old" } });
    const updated = await wire
      .client(AgentService)
      .updateAgent({ agent: { name, displayName: "Renamed" }, updateMask: { paths: ["*"] } });
    assert.deepEqual([updated.displayName, updated.description], ["Renamed", ""]);
  });

  verifies("update-bad-mask", address, async (wire) => {
    const parent = await newApp(wire);
    const { name } = await wire.client(AgentService).createAgent({ parent, agent: { displayName: "Helper" } });
    const error = await errorOf(
      wire.client(AgentService).updateAgent({
        agent: { name, displayName: "Helper" },
        updateMask: { paths: ["colour", "description", "size"] },
      }),
    );
    assert.equal(error.code, Code.InvalidArgument);
    assert.match(error.rawMessage, /colour[\s\S]*size/);
  });

  verifies("update-stale-etag", address, async (wire) => {
    const parent = await newApp(wire);
    const first = await wire.client(AgentService).createAgent({ parent, agent: { displayName: "Helper" } });
    await wire
      .client(AgentService)
      .updateAgent({ agent: { name: first.name, description: "by another" }, updateMask: { paths: ["description"] } });
    const stale = { name: first.name, etag: first.etag, description: "mine" };
    const error = await errorOf(
      wire.client(AgentService).updateAgent({ agent: stale, updateMask: { paths: ["description"] } }),
    );
    assert.equal(error.code, Code.Aborted);
    assert.equal((await wire.client(AgentService).getAgent({ name: first.name })).description, "by another");
  });

  verifies("output-only-ignored", address, async (wire) => {
    const parent = await newApp(wire);
    const agent = await wire
      .client(AgentService)
      .createAgent({ parent, agent: { displayName: "Helper", validationErrors: ["forged"] } });
    assert.deepEqual(agent.validationErrors, []);
  });

  verifies("delete-referenced", address, async (wire) => {
    const parent = await newApp(wire);
    const child = await wire.client(AgentService).createAgent({ parent, agent: { displayName: "Child" } });
    const root = await wire
      .client(AgentService)
      .createAgent({ parent, agent: { displayName: "Root", childAgents: [child.name] } });
    const error = await errorOf(wire.client(AgentService).deleteAgent({ name: child.name }));
    assert.equal(error.code, Code.FailedPrecondition);
    assert.ok(error.rawMessage.includes(root.name), error.rawMessage);
    assert.equal((await wire.client(AgentService).getAgent({ name: child.name })).name, child.name);
  });

  verifies("delete-force", address, async (wire) => {
    const parent = await newApp(wire);
    const child = await wire.client(AgentService).createAgent({ parent, agent: { displayName: "Child" } });
    const root = await wire
      .client(AgentService)
      .createAgent({ parent, agent: { displayName: "Root", childAgents: [child.name] } });
    await wire.client(AgentService).deleteAgent({ name: child.name, force: true });
    assert.deepEqual((await wire.client(AgentService).getAgent({ name: root.name })).childAgents, []);
  });

  verifies("dangling-reference", address, async (wire) => {
    const parent = await newApp(wire);
    const missing = `${parent}/tools/missing-tool`;
    const error = await errorOf(
      wire.client(AgentService).createAgent({ parent, agent: { displayName: "Helper", tools: [missing] } }),
    );
    assert.equal(error.code, Code.InvalidArgument);
    assert.deepEqual(fieldsOf(error), ["agent.tools[0]"]);
    assert.ok(error.rawMessage.includes(missing));
  });

  verifies("create-app-operation", address, async (wire) => {
    const appId = `app-${randomUUID().slice(0, 8)}`;
    const operation = await wire.client(AgentService).createApp({ parent: PARENT, appId, app: { displayName: "New" } });
    const done = await wire.client(Operations).getOperation({ name: operation.name });
    const app = done.result.case === "response" ? anyUnpack(done.result.value, AppSchema) : undefined;
    assert.deepEqual([done.done, app?.name], [true, `${PARENT}/apps/${appId}`]);
  });

  verifies("operation-missing", address, async (wire) => {
    const error = await errorOf(wire.client(Operations).getOperation({ name: `${PARENT}/operations/none` }));
    assert.equal(error.code, Code.NotFound);
  });
});
