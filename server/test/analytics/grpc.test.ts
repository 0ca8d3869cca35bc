import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { DataChatService as DataChatServiceV1 } from "@frontdesk/protos/gda-v1/data_chat_service";
import { DataChatService as DataChatServiceV1Alpha } from "@frontdesk/protos/gda-v1alpha/data_chat_service";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { ScriptedModel, type TestServer } from "#testing";
import { LOCATION, startDataServer } from "./data-server.ts";

let server: TestServer;
before(async () => {
  server = await startDataServer();
});
after(() => server[Symbol.asyncDispose]());

const asks = (tableId: string) => ({
  parent: LOCATION,
  messages: [
    {
      kind: {
        case: "userMessage" as const,
        value: { kind: { case: "text" as const, value: "total amount by region" } },
      },
    },
  ],
  contextProvider: {
    case: "inlineContext" as const,
    value: {
      datasourceReferences: {
        references: {
          case: "bq" as const,
          value: { tableReferences: [{ projectId: "acme", datasetId: "sales", tableId }] },
        },
      },
    },
  },
});

// The three have the same names and numbers in what is asked here.
const REVISIONS = {
  v1: DataChatServiceV1 as unknown as typeof DataChatService,
  v1beta: DataChatService,
  v1alpha: DataChatServiceV1Alpha as unknown as typeof DataChatService,
};

for (const [revision, service] of Object.entries(REVISIONS)) {
  describe(`gRPC of ${revision}`, () => {
    const client = () => createClient(service, createGrpcTransport({ baseUrl: server.address }));

    it("streams an answer, the first group being group 0 and not no group", async () => {
      const messages = await Array.fromAsync(client().chat(asks("orders")));
      const groups = messages.flatMap(({ kind }) => (kind.case === "systemMessage" ? [kind.value.groupId] : []));
      assert.deepEqual([groups[0], groups.includes(undefined)], [0, false]);
      assert.ok(messages.length > 8);
    });

    it("returns errors with details that programs can read", async () => {
      const error = await Array.fromAsync(client().chat(asks("salaries"))).then(
        () => assert.fail("it was answered"),
        ConnectError.from,
      );
      const [info] = error.findDetails(ErrorInfoSchema);
      assert.deepEqual(
        [error.code, info?.domain, info?.reason, info?.metadata],
        [Code.FailedPrecondition, "frontdesk", "TABLE_NOT_MAPPED", { tables: "acme.sales.salaries" }],
      );
    });
  });
}

describe("an answer over gRPC that fails", () => {
  it("sends a message, and ends with the status", async () => {
    await using failing = await startDataServer({ model: new ScriptedModel(new Error("the model fell over")) });
    const client = createClient(DataChatService, createGrpcTransport({ baseUrl: failing.address }));
    const kinds: (string | undefined)[] = [];
    const read = async () => {
      for await (const { kind } of client.chat(asks("orders"))) {
        if (kind.case === "systemMessage") kinds.push(kind.value.kind.case);
      }
    };
    await assert.rejects(read(), { code: Code.Internal });
    assert.equal(kinds.at(-1), "error");
  });
});
