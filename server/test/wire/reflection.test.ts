import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, createFileRegistry, fromBinary, fromJson, toJson } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import {
  ExtensionRequestSchema,
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
} from "@frontdesk/protos/grpc/reflection/v1/reflection";
import { ServerReflection as ServerReflectionAlpha } from "@frontdesk/protos/grpc/reflection/v1alpha/reflection";
import { startTestServer, type TestServer } from "#testing";
import { startAccessServer, tokenOf } from "../access/access-server.ts";

type Question = ServerReflectionRequest["messageRequest"];
type Answer = ServerReflectionResponse["messageResponse"];

/** Asks on one stream, in either version of the protocol: their messages are the same. */
async function ask(transport: Transport, questions: readonly Question[], token = ""): Promise<readonly Answer[]> {
  const client = createClient(ServerReflection, transport);
  const headers = new Headers(token === "" ? {} : { authorization: `Bearer ${token}` });
  const requests = (async function* () {
    for (const messageRequest of questions) yield create(ServerReflectionRequestSchema, { messageRequest });
  })();
  const answers: Answer[] = [];
  for await (const { messageResponse } of client.serverReflectionInfo(requests, { headers }))
    answers.push(messageResponse);
  return answers;
}

const symbol = (value: string): Question => ({ case: "fileContainingSymbol", value });

function filesIn(answer: Answer | undefined) {
  assert.equal(answer?.case, "fileDescriptorResponse", JSON.stringify(answer));
  return (answer.value as { fileDescriptorProto: Uint8Array[] }).fileDescriptorProto.map((bytes) =>
    fromBinary(FileDescriptorProtoSchema, bytes),
  );
}

/** What a client makes of an answer: each file after those that it imports. */
function typesIn(answer: Answer | undefined) {
  const files = new Map(filesIn(answer).map((file) => [file.name, file]));
  const ordered = new Set<FileDescriptorProto>();
  const add = (name: string): void => {
    const file = files.get(name) ?? assert.fail(`${name} is missing`);
    if (ordered.has(file)) return;
    file.dependency.forEach(add);
    ordered.add(file);
  };
  for (const name of files.keys()) add(name);
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [...ordered] }));
}

function namesIn(answer: Answer | undefined): readonly string[] {
  return filesIn(answer).map(({ name }) => name);
}

describe("reflection over gRPC (WIRE-54)", () => {
  let server: TestServer;
  let transport: Transport;
  before(async () => {
    server = await startTestServer();
    transport = createGrpcTransport({ baseUrl: server.address });
  });
  after(() => server[Symbol.asyncDispose]());

  it("lists every service of every revision, its own included", async () => {
    const [answer] = await ask(transport, [{ case: "listServices", value: "" }]);
    assert.equal(answer?.case, "listServicesResponse");
    const listed = (answer.value as { service: { name: string }[] }).service.map(({ name }) => name);
    const registered = new Set(server.app.registry.methods.map(({ method }) => method.parent.typeName));
    assert.deepEqual(listed, [...registered].sort());
    assert.ok(listed.includes(ServerReflection.typeName) && listed.includes(ServerReflectionAlpha.typeName));
  });

  it("describes a service so that a client without generated code calls it", async () => {
    const [answer] = await ask(transport, [symbol("google.cloud.ces.v1.AgentService")]);
    const types = typesIn(answer);
    const service = types.getService("google.cloud.ces.v1.AgentService") ?? assert.fail();
    const method = service.methods.find(({ name }) => name === "CreateApp") ?? assert.fail();
    const request = fromJson(method.input, {
      ...{ parent: "projects/local/locations/us", appId: "by-reflection" },
      app: { displayName: "Reflected" },
    });
    const { message } = await transport.unary(method as never, undefined, undefined, undefined, request as never);
    assert.match(JSON.stringify(toJson(method.output, message, { registry: types })), /by-reflection/);
  });

  it("describes each service and message of the definitions whole: nothing that they import is missing", async () => {
    const services = [...new Set(server.app.registry.methods.map(({ method }) => method.parent.typeName))];
    for (const name of services) {
      const [answer] = await ask(transport, [symbol(name)]);
      assert.ok(typesIn(answer).getService(name), name);
    }
  });

  it("finds files, methods, fields, enum values, details of errors and extensions", async () => {
    const found = await ask(transport, [
      { case: "fileByFilename", value: "google/cloud/ces/v1/app.proto" },
      symbol("google.cloud.ces.v1.AgentService.GetApp"),
      symbol("google.cloud.ces.v1.App.display_name"),
      symbol("grpc.health.v1.HealthCheckResponse.SERVING"),
      symbol("google.rpc.BadRequest"),
      symbol("google.api.http"),
      {
        case: "fileContainingExtension",
        value: create(ExtensionRequestSchema, {
          containingType: "google.protobuf.MethodOptions",
          extensionNumber: 72295728,
        }),
      },
    ]);
    assert.deepEqual(
      found.map((answer) => namesIn(answer)[0]),
      [
        ...["google/cloud/ces/v1/app.proto", "google/cloud/ces/v1/agent_service.proto"],
        ...["google/cloud/ces/v1/app.proto", "grpc/health/v1/health.proto", "google/rpc/error_details.proto"],
        ...["google/api/annotations.proto", "google/api/annotations.proto"],
      ],
    );
    const [numbers] = await ask(transport, [
      { case: "allExtensionNumbersOfType", value: "google.protobuf.MethodOptions" },
    ]);
    assert.equal(numbers?.case, "allExtensionNumbersResponse");
    assert.ok((numbers.value as { extensionNumber: number[] }).extensionNumber.includes(72295728));
  });

  it("sends what a file imports once on a stream, and the file that is asked for each time", async () => {
    const [first, second] = await ask(transport, [
      symbol("google.cloud.ces.v1.App"),
      symbol("google.cloud.ces.v1.App"),
    ]);
    assert.ok(namesIn(first).length > 5);
    assert.deepEqual(namesIn(second), ["google/cloud/ces/v1/app.proto"]);
  });

  it("answers a question that has no answer with an error, and goes on", async () => {
    const answers = await ask(transport, [
      symbol("no.such.Thing"),
      symbol("google.cloud.ces.v1.App.no_such_field"),
      { case: "fileByFilename", value: "no/such.proto" },
      { case: "allExtensionNumbersOfType", value: "no.such.Type" },
      { case: undefined },
      { case: "listServices", value: "" },
    ]);
    assert.deepEqual(
      answers.map(({ case: kind, value }) => (kind === "errorResponse" ? value.errorCode : kind)),
      [Code.NotFound, Code.NotFound, Code.NotFound, Code.NotFound, Code.InvalidArgument, "listServicesResponse"],
    );
    assert.match(JSON.stringify(answers[0]?.value), /'no\.such\.Thing' is not known to this server/);
  });

  it("is served in its older version, too", async () => {
    const client = createClient(ServerReflectionAlpha, transport);
    const requests = (async function* () {
      yield { messageRequest: symbol("grpc.health.v1.Health") };
    })();
    for await (const { messageResponse } of client.serverReflectionInfo(requests as never))
      assert.deepEqual(namesIn(messageResponse as Answer), ["grpc/health/v1/health.proto"]);
  });
});

describe("reflection where callers must be known", () => {
  it("is for callers who are, whatever they may do (WIRE-54)", async () => {
    await using server = await startAccessServer(["ann"]);
    const transport = createGrpcTransport({ baseUrl: server.address });
    const list: Question = { case: "listServices", value: "" };
    await assert.rejects(ask(transport, [list]), (error) => (error as ConnectError).code === Code.Unauthenticated);
    const [answer] = await ask(transport, [list], tokenOf("ann"));
    assert.equal(answer?.case, "listServicesResponse");
  });
});
