import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  ListOperationsRequestSchema,
  type ListOperationsResponse,
  ListOperationsResponseSchema,
} from "@frontdesk/protos/google/longrunning/operations";
import * as grpc from "@grpc/grpc-js";
import { startTestServer, type TestServer } from "#testing";

const LOCATION = "projects/p/locations/us";
/** The package of the metadata's type, by API and revision. */
const CES = "google.cloud.ces";
const DATA = "google.cloud.geminidataanalytics";

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await post(`v1beta/${LOCATION}/apps?appId=the-shop`, { displayName: "Shop" });
  await post(`v1beta/${LOCATION}/dataAgents?dataAgentId=sales`, { displayName: "Sales" });
});
after(() => server[Symbol.asyncDispose]());

describe("ListOperations (WIRE-14)", () => {
  const cases: readonly [revision: string, host: string, expected: readonly string[]][] = [
    ["v1", "localhost", [`${CES}.v1.OperationMetadata`]],
    ["v1beta", "localhost", [`${CES}.v1beta.OperationMetadata`]],
    ["v1beta", "ces.googleapis.com", [`${CES}.v1beta.OperationMetadata`]],
    ["v1beta", "ces.us.rep.googleapis.com", [`${CES}.v1beta.OperationMetadata`]],
    ["v1alpha", "localhost", [`${DATA}.v1alpha.OperationMetadata`]],
    ["v1beta", "geminidataanalytics.googleapis.com", [`${DATA}.v1beta.OperationMetadata`]],
    ["v1", "geminidataanalytics.localhost:8080", [`${DATA}.v1.OperationMetadata`]],
  ];
  for (const [revision, host, expected] of cases) {
    it(`lists the operations of one API at ${host}/${revision}`, async () => {
      const { operations = [] } = await get(`${revision}/${LOCATION}/operations`, host);
      assert.deepEqual(
        operations.map(({ metadata }) => metadata["@type"].replace("type.googleapis.com/", "")),
        expected,
      );
    });
  }

  it("lists those on data agents in a location without others, when nothing names the API", async () => {
    const global = "projects/p/locations/global";
    await post(`v1beta/${global}/dataAgents?dataAgentId=sales`, { displayName: "Sales" });
    const { operations = [] } = await get(`v1beta/${global}/operations`, "localhost");
    assert.deepEqual(
      operations.map(({ metadata }) => metadata["@type"]),
      [`type.googleapis.com/${DATA}.v1beta.OperationMetadata`],
    );
  });

  it("lists them over gRPC by the authority of the call", async () => {
    assert.deepEqual(await typesOverGrpc("ces.googleapis.com"), [`${CES}.v1beta.OperationMetadata`]);
    assert.deepEqual(await typesOverGrpc("geminidataanalytics.googleapis.com"), [`${DATA}.v1beta.OperationMetadata`]);
  });

  it("takes the name of one location, and refuses others by the field", async () => {
    for (const location of ["projects/-/locations/us", "projects/p/locations/-"]) {
      const { error } = await get(`v1beta/${location}/operations`, "localhost");
      assert.equal(
        error?.message,
        `name: '${location}' is not a name of the form projects/{project}/locations/{location}, without wildcards.`,
      );
    }
  });

  it("honours a filter, and refuses one that it cannot test, by name", async () => {
    const listed = async (filter: string) =>
      get(`v1beta/${LOCATION}/operations?filter=${encodeURIComponent(filter)}`, "localhost");
    assert.equal((await listed("done=true")).operations?.length, 1);
    assert.equal((await listed("done=false")).operations, undefined);
    const { error } = await listed('metadata.verb="create"');
    assert.deepEqual([error?.status, error?.message.includes("Any has no field 'verb'")], ["INVALID_ARGUMENT", true]);
  });
});

async function typesOverGrpc(authority: string): Promise<readonly string[]> {
  const options = { "grpc.default_authority": authority };
  const client = new grpc.Client(new URL(server.address).host, grpc.credentials.createInsecure(), options);
  const path = "/google.longrunning.Operations/ListOperations";
  const encode = (name: string) =>
    Buffer.from(toBinary(ListOperationsRequestSchema, create(ListOperationsRequestSchema, { name })));
  const decode = (bytes: Buffer) => fromBinary(ListOperationsResponseSchema, bytes);
  const answer = Promise.withResolvers<ListOperationsResponse>();
  client.makeUnaryRequest(path, encode, decode, LOCATION, (error, response) =>
    response ? answer.resolve(response) : answer.reject(error),
  );
  const { operations } = await answer.promise.finally(() => client.close());
  return operations.map(({ metadata }) => metadata?.typeUrl.replace("type.googleapis.com/", "") ?? "");
}

interface Listed {
  readonly operations?: readonly { readonly metadata: { readonly "@type": string } }[];
  readonly error?: { readonly status: string; readonly message: string };
}

/** `fetch` does not send another Host header than the address's. */
function get(path: string, host: string): Promise<Listed> {
  return new Promise((resolve, reject) => {
    const call = request(`${server.address}/${path}`, { headers: { host } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve(JSON.parse(Buffer.concat(chunks).toString()) as Listed);
    });
    call.once("error", reject).end();
  });
}

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.address}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.text());
}
