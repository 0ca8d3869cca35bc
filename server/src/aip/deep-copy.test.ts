import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, equals, fromJson, isMessage, toBinary } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { deepCopy } from "./deep-copy.ts";
import { setUnknownFields, unknownFieldsOf } from "./unknown-fields.ts";

describe("a deep copy of a message", () => {
  const app = fromJson(AppSchema, {
    displayName: "Shop",
    createTime: "2026-01-02T03:04:05Z",
    metadata: JSON.parse('{"__proto__": "kept", "a": "b"}'),
    variableDeclarations: [
      { name: "v", schema: { type: "OBJECT", properties: { n: { type: "NUMBER", default: { x: [1, null] } } } } },
    ],
    defaultChannelProfile: { profileId: "p" },
  });
  setUnknownFields(app.variableDeclarations[0] ?? app, [{ key: "later", json: "1", after: 0 }]);

  it("is equal, with maps, values of JSON and unknown fields", () => {
    const copy = deepCopy(app);
    assert.ok(equals(AppSchema, copy, app));
    assert.ok(isMessage(copy, AppSchema));
    assert.deepEqual(toBinary(AppSchema, copy), toBinary(AppSchema, app));
    assert.deepEqual(unknownFieldsOf(copy.variableDeclarations[0] ?? copy), [{ key: "later", json: "1", after: 0 }]);
    assert.deepEqual(Object.keys(copy.metadata), ["__proto__", "a"]);
  });

  it("shares nothing that can be changed", () => {
    const copy = deepCopy(app);
    const [declared] = copy.variableDeclarations;
    if (declared?.schema) declared.schema.title = "Changed";
    copy.metadata.a = "changed";
    assert.equal(app.variableDeclarations[0]?.schema?.title, "");
    assert.equal(app.metadata.a, "b");
    const tool = create(ToolSchema, { toolType: { case: "pythonFunction", value: { name: "f", pythonCode: "x" } } });
    const other = deepCopy(tool);
    if (other.toolType.case === "pythonFunction") other.toolType.value.pythonCode = "y";
    assert.equal(tool.toolType.case === "pythonFunction" && tool.toolType.value.pythonCode, "x");
  });
});
