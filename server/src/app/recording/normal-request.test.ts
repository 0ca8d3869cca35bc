import assert from "node:assert/strict";
import { it } from "node:test";
import type { ModelMessage, ModelPart } from "#models";
import { normalRequest } from "./normal-request.ts";

it("has what other agents did as it happened, so that recordings do not depend on how it is presented", () => {
  const call: ModelPart = { kind: "function-call", id: "1", name: "lookup", args: { order: "1" } };
  const response: ModelPart = { kind: "function-response", id: "1", name: "lookup", response: { status: "sent" } };
  const hello: ModelMessage = { role: "user", parts: [{ kind: "text", text: "Hello" }] };
  const heading: ModelPart = { kind: "text", text: "For context:", presents: [] };
  const called: ModelPart = { kind: "text", text: "[Root] called …", presents: [call] };
  const returned: ModelPart = { kind: "text", text: "[Root] returned …", presents: [response] };
  const again: ModelMessage = { role: "user", parts: [{ kind: "text", text: "Again" }] };
  const messages = [
    hello,
    { role: "user" as const, parts: [heading, called] },
    { role: "user" as const, parts: [heading, returned] },
    again,
  ];
  assert.deepEqual(normalRequest({ system: "", tools: [], messages }).messages, [
    { role: "user", parts: [{ text: "Hello" }] },
    { role: "model", parts: [{ call: "lookup", args: { order: "1" } }] },
    { role: "user", parts: [{ response: "lookup", value: { status: "sent" } }, { text: "Again" }] },
  ]);
});
