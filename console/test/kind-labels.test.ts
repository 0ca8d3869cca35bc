import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { guardrailTypeLabel } from "../src/features/guardrails/guardrail-types.ts";
import { toolTypeLabel } from "../src/features/tools/tool-types.ts";

describe("a kind of resource that an app may have", () => {
  for (const [schema, labelOf] of [
    [ToolSchema, toolTypeLabel],
    [ToolsetSchema, toolTypeLabel],
    [GuardrailSchema, guardrailTypeLabel],
  ] as const)
    it(`has a name of its own: ${schema.name}`, () => {
      const kinds = schema.oneofs[0]?.fields.map(({ localName }) => localName) ?? [];
      assert.ok(kinds.length > 2);
      assert.deepEqual(
        kinds.filter((kind) => labelOf(kind) === labelOf(undefined)),
        [],
      );
    });
});
