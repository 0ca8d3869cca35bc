import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { Conversation_Source, ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { createMessageJson } from "./message-json.ts";
import { createTypeRegistry } from "./type-registry.ts";

const json = createMessageJson(createTypeRegistry([{ service: AgentService, implementation: {} }]));
const app = anyPack(AppSchema, create(AppSchema, { name: "a" }));

describe("JSON of messages", () => {
  it("shows the message in an Any", () => {
    assert.deepEqual(json(OperationSchema, create(OperationSchema, { name: "o", metadata: app })), {
      name: "o",
      metadata: { "@type": "type.googleapis.com/google.cloud.ces.v1beta.App", name: "a" },
    });
  });

  it("shows floats with the digits that they have, in an Any too (WIRE-27)", () => {
    const evaluationMetricsThresholds = {
      goldenEvaluationMetricsThresholds: {
        turnLevelMetricsThresholds: { overallToolInvocationCorrectnessThreshold: 0.1 },
      },
    };
    const given = { name: "a", evaluationMetricsThresholds };
    const stored = fromBinary(AppSchema, toBinary(AppSchema, fromJson(AppSchema, given)));
    assert.deepEqual(json(AppSchema, stored), given);
    const operation = create(OperationSchema, { result: { case: "response", value: anyPack(AppSchema, stored) } });
    const type = "type.googleapis.com/google.cloud.ces.v1beta.App";
    assert.deepEqual(json(OperationSchema, operation), { response: { "@type": type, ...given } });
  });

  it("shows null for values that JSON does not have, which earlier versions stored", () => {
    const variables = Object.assign(JSON.parse('{"__proto__": 1e400}'), {
      fields: { x: Number.NaN },
      list: [1, -1 / 0],
    });
    const chunks = [{ data: { case: "updatedVariables" as const, value: variables } }];
    const conversation = create(ConversationSchema, { name: "c", turns: [{ messages: [{ chunks }] }] });
    const nulls = JSON.parse('{"__proto__": null, "fields": {"x": null}, "list": [1, null]}');
    assert.deepEqual(json(ConversationSchema, conversation), {
      name: "c",
      turns: [{ messages: [{ chunks: [{ updatedVariables: nulls }] }] }],
    });
    assert.equal(variables.list[1], Number.NEGATIVE_INFINITY);
  });

  it("shows an Any of an unknown type as its bytes, next to known ones", () => {
    const stranger = create(AnySchema, { typeUrl: "type.googleapis.com/no.Such", value: Uint8Array.of(1, 2, 255) });
    const operation = create(OperationSchema, {
      name: "o",
      metadata: stranger,
      result: { case: "error", value: { code: 3, details: [stranger, app] } },
    });
    assert.deepEqual(json(OperationSchema, operation), {
      name: "o",
      metadata: { "@type": "type.googleapis.com/no.Such", value: "AQL/" },
      error: {
        code: 3,
        details: [
          { "@type": "type.googleapis.com/no.Such", value: "AQL/" },
          { "@type": "type.googleapis.com/google.cloud.ces.v1beta.App", name: "a" },
        ],
      },
    });
  });

  it("shows an Any whose bytes do not decode as its bytes", () => {
    const broken = create(AnySchema, { typeUrl: app.typeUrl, value: Uint8Array.of(0x0a, 0xff) });
    assert.deepEqual(json(OperationSchema, create(OperationSchema, { metadata: broken })), {
      metadata: { "@type": app.typeUrl, value: "Cv8=" },
    });
  });

  it("writes enums as numbers when asked", () => {
    const conversation = create(ConversationSchema, { source: Conversation_Source.LIVE });
    assert.deepEqual(json(ConversationSchema, conversation), { source: "LIVE" });
    assert.deepEqual(json(ConversationSchema, conversation, true), { source: Conversation_Source.LIVE });
  });
});
