import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { create, fromBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { CallContext } from "#rpc";
import { invalidArgument, notFound } from "#status";
import { LOCALHOST, startWireServer, type WireServer } from "./wire-server.ts";

const PROTOS = dirname(createRequire(import.meta.url).resolve("google-proto-files/package.json"));

type Plain = Record<string, unknown>;
type Call = (
  request: Plain,
  options: grpc.CallOptions,
  done: (error: grpc.ServiceError | null, response: Plain) => void,
) => grpc.ClientUnaryCall;

/** Loads a service from the published sources, as programs without generated code do. */
function load(file: string, service: string): grpc.ServiceClientConstructor {
  const loaded = grpc.loadPackageDefinition(
    loadSync(file, { includeDirs: [PROTOS], longs: String, enums: String, oneofs: true }),
  );
  return service
    .split(".")
    .reduce((scope, name) => scope[name] as grpc.GrpcObject, loaded) as unknown as grpc.ServiceClientConstructor;
}

const AGENTS = {
  v1: load("google/cloud/ces/v1/agent_service.proto", "google.cloud.ces.v1.AgentService"),
  v1beta: load("google/cloud/ces/v1beta/agent_service.proto", "google.cloud.ces.v1beta.AgentService"),
};
const Sessions = load("google/cloud/ces/v1beta/session_service.proto", "google.cloud.ces.v1beta.SessionService");

function connect(
  Client: grpc.ServiceClientConstructor,
  { port }: WireServer,
  credentials = grpc.credentials.createInsecure(),
  options: grpc.ClientOptions = {},
) {
  const client = new Client(`localhost:${port}`, credentials, options) as unknown as grpc.Client &
    Record<string, unknown>;
  const call = (method: string, request: Plain, options: grpc.CallOptions = {}): Promise<Plain> =>
    new Promise((resolve, reject) =>
      (client[method] as Call).call(client, request, options, (error, response) =>
        error ? reject(error) : resolve(response),
      ),
    );
  return { client, call, [Symbol.dispose]: () => client.close() };
}

describe("a grpc-js client", () => {
  for (const revision of ["v1", "v1beta"] as const) {
    it(`calls ${revision} and gets the fields of that revision`, async () => {
      await using server = await startWireServer({
        agents: {
          getApp: async ({ name }, context) => ({
            name,
            displayName: context.revision,
            evaluationPersonas: [{ name: "p" }],
          }),
        },
      });
      using agents = connect(AGENTS[revision], server);
      const app = await agents.call("getApp", { name: "a" });
      assert.deepEqual(
        [app.name, app.displayName, (app.evaluationPersonas as unknown[] | undefined)?.length],
        ["a", revision, revision === "v1" ? undefined : 1],
      );
    });
  }

  it("may compress its messages with either encoding of gRPC, and gets compressed ones (WIRE-81)", async () => {
    const name = "a long name ".repeat(800);
    await using server = await startWireServer({ agents: { getApp: async (request) => ({ name: request.name }) } });
    for (const algorithm of [grpc.compressionAlgorithms.deflate, grpc.compressionAlgorithms.gzip]) {
      using agents = connect(AGENTS.v1, server, undefined, { "grpc.default_compression_algorithm": algorithm });
      assert.equal((await agents.call("getApp", { name })).name, name, `algorithm ${algorithm}`);
    }
  });

  it("reads the agent of an agent tool in v1, whose field has another name", async () => {
    await using server = await startWireServer({
      agents: {
        getTool: async () => ({ toolType: { case: "agentTool", value: { agent: "a" } } }),
        createTool: async ({ tool }) => ({
          displayName: tool?.toolType.case === "agentTool" ? tool.toolType.value.agent : "",
        }),
      },
    });
    using agents = connect(AGENTS.v1, server);
    assert.equal(((await agents.call("getTool", { name: "t" })).agentTool as Plain).rootAgent, "a");
    assert.equal(
      (await agents.call("createTool", { parent: "p", tool: { agentTool: { name: "n", rootAgent: "b" } } }))
        .displayName,
      "b",
    );
  });

  it("gets an operation whose Any it can unpack, also when it asks again", async () => {
    const operation = {
      name: "projects/p/locations/us/operations/v1-o",
      done: true,
      result: { case: "response", value: anyPack(AppSchema, create(AppSchema, { name: "a" })) },
    } as const;
    await using server = await startWireServer({
      agents: { createApp: async () => operation },
      operations: { getOperation: async () => operation },
    });
    using agents = connect(AGENTS.v1, server);
    const { response } = (await agents.call("createApp", { parent: "p", app: { displayName: "A" } })) as {
      response: Plain;
    };
    assert.equal(response.type_url, "type.googleapis.com/google.cloud.ces.v1.App");
    using operations = connect(load("google/longrunning/operations.proto", "google.longrunning.Operations"), server);
    const again = (await operations.call("getOperation", { name: operation.name })) as { response: Plain };
    assert.equal(again.response.type_url, "type.googleapis.com/google.cloud.ces.v1.App");
  });

  it("reads error messages unchanged", async () => {
    const name = "projects/p/locations/us/apps/50% off: größe";
    await using server = await startWireServer({ agents: { getApp: async () => Promise.reject(notFound(name)) } });
    using agents = connect(AGENTS.v1, server);
    await assert.rejects(agents.call("getApp", { name }), {
      code: grpc.status.NOT_FOUND,
      details: `Resource '${name}' was not found.`,
    });
  });

  it("gets the details of an error as google.rpc.Status", async () => {
    await using server = await startWireServer({
      agents: { getApp: async () => Promise.reject(invalidArgument({ field: "name", description: "is odd" })) },
    });
    using agents = connect(AGENTS.v1, server);
    const refused = agents.call("getApp", { name: "a" });
    const error = await refused.then(
      () => assert.fail("it was answered"),
      (reason: grpc.ServiceError) => reason,
    );
    const status = fromBinary(StatusSchema, error.metadata.get("grpc-status-details-bin")[0] as Buffer);
    assert.deepEqual(
      [status.code, status.message, status.details.map(({ typeUrl }) => typeUrl)],
      [3, "name: is odd", ["type.googleapis.com/google.rpc.BadRequest"]],
    );
  });

  it("gets UNIMPLEMENTED for methods without a handler and for unknown methods", async () => {
    await using server = await startWireServer();
    using agents = connect(AGENTS.v1, server);
    await assert.rejects(agents.call("getApp", { name: "a" }), {
      code: grpc.status.UNIMPLEMENTED,
      details: "Method google.cloud.ces.v1.AgentService.GetApp is not implemented by this server.",
    });
    const unknown = new grpc.Client(`localhost:${server.port}`, grpc.credentials.createInsecure());
    const call = new Promise((_, reject) =>
      unknown.makeUnaryRequest("/no.Such/Thing", Buffer.from, Buffer.from, Buffer.alloc(0), (error) => reject(error)),
    );
    await assert.rejects(call, {
      code: grpc.status.UNIMPLEMENTED,
      details: "Method /no.Such/Thing is not known to this server.",
    });
    unknown.close();
  });

  it("aborts the handler at its deadline", async () => {
    const seen = Promise.withResolvers<CallContext>();
    await using server = await startWireServer({
      agents: {
        getApp: (_, context) => {
          seen.resolve(context);
          return new Promise<never>(() => {});
        },
      },
    });
    using agents = connect(AGENTS.v1, server);
    const call = agents.call("getApp", { name: "a" }, { deadline: Date.now() + 1_000 });
    const { signal, deadline } = await seen.promise;
    assert.ok(deadline !== undefined && deadline < Date.now() + 1_001);
    await assert.rejects(call, { code: grpc.status.DEADLINE_EXCEEDED });
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });

  it("aborts the handler by cancelling", async () => {
    const seen = Promise.withResolvers<AbortSignal>();
    await using server = await startWireServer({
      agents: {
        getApp: (_, { signal }) => {
          seen.resolve(signal);
          return new Promise<never>(() => {});
        },
      },
    });
    using agents = connect(AGENTS.v1, server);
    const call = (agents.client.getApp as Call)({ name: "a" }, {}, () => {});
    const signal = await seen.promise;
    call.cancel();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });

  it("reads a stream message by message, with the error that ends it", async () => {
    await using server = await startWireServer({
      sessions: {
        streamRunSession: async function* () {
          yield { outputs: [{ outputType: { case: "text" as const, value: "one" } }] };
          throw notFound("x");
        },
      },
    });
    using sessions = connect(Sessions, server);
    const stream = (
      sessions.client.streamRunSession as (request: Plain) => grpc.ClientReadableStream<{ outputs: { text: string }[] }>
    )({ config: { session: "s" }, inputs: [{ text: "hi" }] });
    const texts: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { outputs } of stream) texts.push(...outputs.map(({ text }: { text: string }) => text));
      },
      { code: grpc.status.NOT_FOUND },
    );
    assert.deepEqual(texts, ["one"]);
  });

  it("streams in both directions at once", async () => {
    await using server = await startWireServer({
      sessions: {
        bidiRunSession: async function* (messages) {
          for await (const { messageType } of messages) {
            yield {
              messageType: {
                case: "sessionOutput" as const,
                value: { outputType: { case: "text" as const, value: `received ${messageType.case}` } },
              },
            };
          }
        },
      },
    });
    using sessions = connect(Sessions, server);
    const duplex = (
      sessions.client.bidiRunSession as () => grpc.ClientDuplexStream<Plain, { sessionOutput: { text: string } }>
    )();
    const answers = duplex[Symbol.asyncIterator]();
    duplex.write({ config: { session: "s" } });
    assert.equal((await answers.next()).value.sessionOutput.text, "received config");
    duplex.write({ realtimeInput: { text: "hi" } });
    assert.equal((await answers.next()).value.sessionOutput.text, "received realtimeInput");
    duplex.end();
    assert.equal((await answers.next()).done, true);
  });

  it("gets an error for a message above the limit", async () => {
    await using server = await startWireServer({
      requests: { maxBodyBytes: 1_000 },
      agents: { getApp: async () => ({}) },
    });
    using agents = connect(AGENTS.v1, server);
    await assert.rejects(agents.call("getApp", { name: "a".repeat(2_000) }), { code: grpc.status.RESOURCE_EXHAUSTED });
  });

  it("works over TLS", async () => {
    await using server = await startWireServer({ tls: true, agents: { getApp: async ({ name }) => ({ name }) } });
    using agents = connect(AGENTS.v1, server, grpc.credentials.createSsl(LOCALHOST.cert));
    assert.equal((await agents.call("getApp", { name: "a" })).name, "a");
  });

  it("has one line in the log, also when its message cannot be decoded", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({}) } });
    const raw = new grpc.Client(`localhost:${server.port}`, grpc.credentials.createInsecure());
    const send = (bytes: Buffer): Promise<grpc.ServiceError | null> =>
      new Promise((resolve) =>
        raw.makeUnaryRequest(
          "/google.cloud.ces.v1.AgentService/GetApp",
          (value: Buffer) => value,
          (value: Buffer) => value,
          bytes,
          resolve,
        ),
      );
    assert.equal(await send(Buffer.from([0x0a, 1, 97])), null);
    assert.equal((await send(Buffer.from([0x0a, 0xff])))?.code, grpc.status.INTERNAL);
    raw.close();
    assert.deepEqual(
      server.lines.map(({ method, protocol, code }) => [method, protocol, code]),
      [
        ["google.cloud.ces.v1.AgentService.GetApp", "grpc", "OK"],
        ["google.cloud.ces.v1.AgentService.GetApp", "grpc", "INTERNAL"],
      ],
    );
  });
});
