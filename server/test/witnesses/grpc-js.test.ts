import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { startTestServer, type TestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";
const require = createRequire(join(import.meta.dirname, "..", "..", "..", "scripts", "package.json"));
const PROTOS = dirname(require.resolve("google-proto-files/package.json"));

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

/** A plaintext client of one service until the test ends, its descriptors loaded from the sources at run time. */
function client(t: TestContext, revision: string, file: string, service: string) {
  const options = {
    includeDirs: [PROTOS],
    keepCase: false,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  };
  const loaded = grpc.loadPackageDefinition(loadSync(`google/cloud/ces/${revision}/${file}.proto`, options));
  // biome-ignore lint/suspicious/noExplicitAny: clients made at run time have no static type
  const Client = (loaded as any).google.cloud.ces[revision][service];
  const made = new Client(new URL(server.address).host, grpc.credentials.createInsecure());
  t.after(() => made.close());
  return made;
}

for (const revision of ["v1", "v1beta"]) {
  describe(`a grpc-js client of CES ${revision}`, () => {
    it("runs a turn", async (t) => {
      const sessions = client(t, revision, "session_service", "SessionService");
      const run = promisify(sessions.runSession.bind(sessions));
      const response = await run({
        config: { session: `${APP}/sessions/${randomUUID()}` },
        inputs: [{ text: "Where is my order A-1001?" }],
      });
      assert.match(response.outputs.map((output: { text?: string }) => output.text ?? "").join(""), /A-1001/);
      assert.equal(response.outputs.at(-1).turnCompleted, true);
    });

    it("is told of thousands of faults at once, as many as trailers hold (WIRE-26)", async (t) => {
      const agents = client(t, revision, "agent_service", "AgentService");
      const create = promisify(agents.createAgent.bind(agents));
      const tools = Array.from({ length: 3_000 }, (_, at) => `${APP}/tools/missing-${at}`);
      await assert.rejects(
        create({ parent: APP, agentId: "many-faults", agent: { displayName: "Many", tools } }),
        (error: grpc.ServiceError) => {
          assert.equal(error.code, grpc.status.INVALID_ARGUMENT);
          assert.match(error.details, /^agent\.tools\[0\]: Reference .*…$/s);
          const details = String(error.metadata.get("grpc-status-details-bin")[0]);
          assert.match(details, /missing-99'.*There are \d+ more violations\./s);
          return true;
        },
      );
    });

    it("receives a streamed turn", async (t) => {
      const sessions = client(t, revision, "session_service", "SessionService");
      const config = { session: `${APP}/sessions/${randomUUID()}`, enableTextStreaming: true };
      const responses = await Array.fromAsync(
        sessions.streamRunSession({ config, inputs: [{ text: "hello" }] }) as AsyncIterable<{
          outputs: { turnCompleted: boolean }[];
        }>,
      );
      assert.equal(responses.at(-1)?.outputs.at(-1)?.turnCompleted, true);
    });

    it("reads status, message and details of an error", async (t) => {
      const agents = client(t, revision, "agent_service", "AgentService");
      const name = "projects/p/locations/us/apps/nowhere";
      await assert.rejects(promisify(agents.getApp.bind(agents))({ name }), (error: grpc.ServiceError) => {
        assert.equal(error.code, grpc.status.NOT_FOUND);
        assert.equal(error.details, `Resource '${name}' was not found.`);
        assert.equal(error.metadata.get("grpc-status-details-bin").length, 1);
        return true;
      });
    });

    it("ends a call at its deadline", async (t) => {
      const agents = client(t, revision, "agent_service", "AgentService");
      const call = promisify((request: object, options: object, callback: (error: Error | null) => void) =>
        agents.listApps(request, options, callback),
      );
      await assert.rejects(call({ parent: "projects/local/locations/us" }, { deadline: Date.now() - 1 }), {
        code: grpc.status.DEADLINE_EXCEEDED,
      });
    });
  });
}
