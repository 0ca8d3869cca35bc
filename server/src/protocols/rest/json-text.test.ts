import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type DescMessage, type Message, toJson } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { ListAgentsResponseSchema } from "@frontdesk/protos/ces/agent_service";
import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import type { JsonValue } from "#base";
import { parseFields, selectFields } from "../fields/partial-response.ts";
import { jsonText } from "./json-text.ts";

const agents = Array.from({ length: 120 }, (_, at) =>
  create(AgentSchema, { name: `agents/${at}`, displayName: `Agent\n${at}`, tools: ["a", "b"], childAgents: [] }),
);
const tools = Array.from({ length: 60 }, (_, at) =>
  create(ToolSchema, { name: `tools/${at}`, toolType: { case: "clientFunction", value: { name: `t${at}` } } }),
);
const OF_LISTS = ["", "agents(name,tools)", "*(displayName)", "nextPageToken", "agents/displayName,nextPageToken"];
const OF_VERSIONS = ["", "snapshot/agents(name,tools)", "*(*/displayName)", "name", "snapshot/agents/displayName,etag"];
const MESSAGES: readonly (readonly [what: string, type: DescMessage, message: Message, selections: string[]])[] = [
  ["nothing", ListAgentsResponseSchema, create(ListAgentsResponseSchema), OF_LISTS],
  [
    "a short list",
    ListAgentsResponseSchema,
    create(ListAgentsResponseSchema, { agents: agents.slice(0, 3) }),
    OF_LISTS,
  ],
  ["a long list", ListAgentsResponseSchema, create(ListAgentsResponseSchema, { agents, nextPageToken: "n" }), OF_LISTS],
  [
    "a version",
    AppVersionSchema,
    create(AppVersionSchema, {
      name: "versions/one",
      snapshot: { app: { displayName: "App", variableDeclarations: [{ name: "x" }] }, agents, tools },
      etag: "e",
    }),
    OF_VERSIONS,
  ],
];

describe("the JSON text of a message", () => {
  for (const [what, type, message, selections] of MESSAGES) {
    it(`is what it is in one piece: ${what}`, async () => {
      const before = JSON.stringify(toJson(type, message));
      for (const selection of selections) {
        const fields = selection === "" ? undefined : parseFields(selection, type);
        for (const pretty of [false, true]) {
          const json = toJson(type, message) as JsonValue;
          const whole = JSON.stringify(fields ? selectFields(json, fields) : json, null, pretty ? 2 : 0);
          const render = (each: DescMessage, value: Message) => toJson(each, value) as JsonValue;
          assert.equal(await jsonText(type, message, { render, fields, pretty }), whole, selection);
        }
      }
      assert.equal(JSON.stringify(toJson(type, message)), before);
    });
  }
});
