import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { definedPath, pathsOfMask, segmentsOf, unquoted } from "./mask-path.ts";

describe("the text of a mask", () => {
  it("has its paths between commas, but for those in backticks", () => {
    assert.deepEqual(pathsOfMask(""), []);
    assert.deepEqual(pathsOfMask("a,,b,"), ["a", "", "b", ""]);
    assert.deepEqual(pathsOfMask("a,m.`x,y`,b"), ["a", "m.`x,y`", "b"]);
  });

  it("has segments between dots, but for those in backticks, where two backticks mean one", () => {
    assert.deepEqual(segmentsOf("m.`x.y`.").map(unquoted), ["m", "x.y", ""]);
    assert.deepEqual(segmentsOf("m.`a``.b`.c").map(unquoted), ["m", "a`.b", "c"]);
    assert.deepEqual(segmentsOf("m.``").map(unquoted), ["m", ""]);
  });
});

const APP = create(AppSchema, { metadata: { orderId: "1", item_id: "2" } });

describe("definedPath", () => {
  for (const [path, wanted] of [
    ["displayName", "display_name"],
    ["languageSettings.defaultLanguageCode", "language_settings.default_language_code"],
    ["metadata.orderId", "metadata.orderId"],
    ["metadata.order_id", "metadata.order_id"],
    ["metadata.itemId", "metadata.item_id"],
    ["metadata.storeId", undefined],
    ["metadata.`storeId`", "metadata.`storeId`"],
    ["metadata.`displayName`", "metadata.`displayName`"],
    ["`displayName`", "display_name"],
    ["guardrails.displayName", "guardrails.displayName"],
    ["nope.displayName", "nope.displayName"],
    ["DisplayName", "DisplayName"],
    ["*", "*"],
    ["", ""],
  ] as const) {
    it(`writes the fields as they are defined, and nothing else: ${path}`, () =>
      assert.equal(definedPath(AppSchema, path, APP), wanted));
  }

  it("follows messages of other messages", () =>
    assert.equal(definedPath(DeploymentSchema, "channelProfile.profileId", undefined), "channel_profile.profile_id"));
});
