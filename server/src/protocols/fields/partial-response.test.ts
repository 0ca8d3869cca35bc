import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ListAppsResponseSchema } from "@frontdesk/protos/ces/agent_service";
import { SchemaSchema } from "@frontdesk/protos/ces/schema";
import { RunSessionResponseSchema } from "@frontdesk/protos/ces/session_service";
import type { JsonValue } from "#base";
import { parseFields, selectFields } from "./partial-response.ts";

const value: JsonValue = {
  apps: [
    {
      name: "a",
      displayName: "A",
      metadata: { order_id: "kept", orderId: "other", "a.b": "dotted" },
      languageSettings: { defaultLanguageCode: "de", enableMultilingualSupport: true },
      variableDeclarations: [{ name: "v", schema: { type: "OBJECT", properties: { first_name: { type: "STRING" } } } }],
      createTime: "2026-01-31T09:30:00Z",
    },
    { name: "b" },
  ],
  nextPageToken: "t",
};

const select = (text: string) => selectFields(value, parseFields(text, ListAppsResponseSchema));

describe("the fields parameter", () => {
  for (const [text, wanted] of [
    ["nextPageToken", { nextPageToken: "t" }],
    ["next_page_token", { nextPageToken: "t" }],
    ["apps/name,nextPageToken", { apps: [{ name: "a" }, { name: "b" }], nextPageToken: "t" }],
    ["apps.display_name,apps/displayName", { apps: [{ displayName: "A" }, {}] }],
    [
      "apps(name,languageSettings(default_language_code))",
      { apps: [{ name: "a", languageSettings: { defaultLanguageCode: "de" } }, { name: "b" }] },
    ],
    ["apps/metadata/order_id", { apps: [{ metadata: { order_id: "kept" } }, {}] }],
    ["apps/metadata/orderId", { apps: [{ metadata: { orderId: "other" } }, {}] }],
    ["apps/metadata/`a.b`", { apps: [{ metadata: { "a.b": "dotted" } }, {}] }],
    ["apps/metadata/nothing", { apps: [{ metadata: {} }, {}] }],
    [
      "apps/variableDeclarations/schema/properties/first_name/type",
      { apps: [{ variableDeclarations: [{ schema: { properties: { first_name: { type: "STRING" } } } }] }, {}] },
    ],
    ["apps/createTime", { apps: [{ createTime: "2026-01-31T09:30:00Z" }, {}] }],
    ["*", value],
    [
      "apps/*(name,default_language_code)",
      {
        apps: [
          { metadata: {}, languageSettings: { defaultLanguageCode: "de" }, variableDeclarations: [{ name: "v" }] },
          {},
        ],
      },
    ],
  ] as const) {
    it(`selects ${text}`, () => assert.deepEqual(select(text), wanted));
  }

  it("rejects invalid selectors", () => {
    for (const text of [
      "",
      "apps(",
      "apps(name",
      "apps)",
      ",apps",
      "apps,,apps",
      "apps nextPageToken",
      "apps/",
      "`apps",
    ])
      assert.throws(() => select(text), /Invalid field selection/, text);
    assert.throws(() => select("apps/".repeat(100_000)), /Invalid field selection/);
  });

  it("rejects names that the response does not have, by their paths", () => {
    for (const [text, path] of [
      ["nope", "nope"],
      ["apps/nope", "apps/nope"],
      ["apps(name,languageSettings/nope)", "apps/languageSettings/nope"],
      ["apps/name/x", "apps/name/x"],
      ["apps/metadata/a/b", "apps/metadata/a/b"],
      ["apps/createTime/seconds", "apps/createTime/seconds"],
      ["*/metadata/a/b", "*/metadata/a/b"],
    ] as const)
      assert.throws(() => select(text), new RegExp(`Invalid field selection ${path.replaceAll("*", "\\*")}$`), text);
    assert.doesNotThrow(() => parseFields("outputs/text", RunSessionResponseSchema));
  });

  it("follows a type that holds itself for as many levels as it is asked for", () => {
    const nested = (levels: number, extra: object): JsonValue =>
      levels === 0
        ? { type: "STRING", ...extra }
        : { properties: { inner: nested(levels - 1, extra) }, type: "OBJECT", ...extra };
    const wanted = (levels: number): JsonValue =>
      levels === 0 ? { type: "STRING" } : { properties: { inner: wanted(levels - 1) } };
    const tree = parseFields(`${"*/*/".repeat(40)}type`, SchemaSchema);
    assert.deepEqual(selectFields(nested(40, { title: "T" }), tree), wanted(40));
  });
});
