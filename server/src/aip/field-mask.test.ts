import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { Code, ConnectError } from "#status";
import { applyUpdate, fieldMaskViolations } from "./field-mask.ts";

type AppInit = MessageInitShape<typeof AppSchema>;

function updated(stored: AppInit, incoming: AppInit, paths: readonly string[]) {
  return toJson(AppSchema, applyUpdate(AppSchema, create(AppSchema, stored), create(AppSchema, incoming), paths));
}

const stored: AppInit = {
  name: "apps/a",
  displayName: "Old",
  description: "Kept",
  etag: "stored",
  deploymentCount: 2,
  pinned: true,
  metadata: { owner: "mia", team: "green" },
  languageSettings: { defaultLanguageCode: "de", supportedLanguageCodes: ["en"] },
  guardrails: ["one", "two"],
};
const incoming: AppInit = {
  name: "apps/b",
  displayName: "New",
  etag: "sent",
  deploymentCount: 9,
  metadata: { owner: "tom" },
  languageSettings: { defaultLanguageCode: "fr" },
  guardrails: ["three"],
};
const before = toJson(AppSchema, create(AppSchema, stored)) as object;

describe("applyUpdate", () => {
  it("replaces the populated fields without a mask, but no output-only field, name or etag", () => {
    assert.deepEqual(updated(stored, incoming, []), {
      ...before,
      displayName: "New",
      metadata: { owner: "tom" },
      languageSettings: { defaultLanguageCode: "fr" },
      guardrails: ["three"],
    });
  });

  it("replaces everything for '*', but no output-only field, name or etag", () => {
    assert.deepEqual(updated(stored, incoming, ["*"]), {
      name: "apps/a",
      etag: "stored",
      deploymentCount: 2,
      displayName: "New",
      metadata: { owner: "tom" },
      languageSettings: { defaultLanguageCode: "fr" },
      guardrails: ["three"],
    });
  });

  const cases: readonly [paths: string[], difference: object][] = [
    [["display_name"], { displayName: "New" }],
    [["displayName"], { displayName: "New" }],
    [["description", "pinned"], { description: undefined, pinned: undefined }],
    [
      ["language_settings.default_language_code"],
      { languageSettings: { defaultLanguageCode: "fr", supportedLanguageCodes: ["en"] } },
    ],
    [["languageSettings.supportedLanguageCodes"], { languageSettings: { defaultLanguageCode: "de" } }],
    [["language_settings"], { languageSettings: { defaultLanguageCode: "fr" } }],
    [["metadata.owner"], { metadata: { owner: "tom", team: "green" } }],
    [["metadata.team"], { metadata: { owner: "mia" } }],
    [["metadata.`team`"], { metadata: { owner: "mia" } }],
    [["metadata.Team"], {}],
    [["metadata"], { metadata: { owner: "tom" } }],
    [["guardrails"], { guardrails: ["three"] }],
    [["name", "etag", "deployment_count", "create_time"], {}],
    [["logging_settings.cloud_logging_settings.enable_cloud_logging"], {}],
    [["time_zone_settings.time_zone"], {}],
  ];
  for (const [paths, difference] of cases) {
    it(`changes exactly ${paths.join(", ")}`, () => {
      const expected = Object.fromEntries(
        Object.entries({ ...before, ...difference }).filter(([, value]) => value !== undefined),
      );
      assert.deepEqual(updated(stored, incoming, paths), expected);
    });
  }

  it("switches the member of a oneof and clears one that is named but unset", () => {
    const tool = create(ToolSchema, { toolType: { case: "clientFunction", value: { name: "a" } } });
    const other = create(ToolSchema, { toolType: { case: "googleSearchTool", value: { name: "b" } } });
    assert.equal(applyUpdate(ToolSchema, tool, other, ["google_search_tool"]).toolType.case, "googleSearchTool");
    assert.equal(applyUpdate(ToolSchema, tool, other, ["client_function"]).toolType.case, undefined);
    assert.equal(applyUpdate(ToolSchema, tool, other, ["python_function"]).toolType.case, "clientFunction");
  });

  it("changes neither of its arguments", () => {
    const [first, second] = [create(AppSchema, stored), create(AppSchema, incoming)];
    const result = applyUpdate(AppSchema, first, second, [
      "language_settings.default_language_code",
      "metadata.owner",
      "guardrails",
    ]);
    result.guardrails.push("more");
    assert.deepEqual(
      [toJson(AppSchema, first), toJson(AppSchema, second)],
      [before, toJson(AppSchema, create(AppSchema, incoming))],
    );
  });

  it("reports all wrong paths at once", () => {
    assert.throws(
      () =>
        updated(stored, incoming, [
          "colour",
          "display_name",
          "language_settings.tone",
          "guardrails.one",
          "metadata.owner.name",
          "pinned.x",
          "",
          "metadata.",
          ".pinned",
          "metadata..owner",
          "metadata.`owner",
        ]),
      (error) =>
        error instanceof ConnectError &&
        error.code === Code.InvalidArgument &&
        error.rawMessage ===
          [
            "update_mask: 'colour' is not a field path of App: there is no 'colour' in App",
            "update_mask: 'language_settings.tone' is not a field path of App: there is no 'tone' in LanguageSettings",
            "update_mask: 'guardrails.one' goes into the list 'guardrails'; name the whole list",
            "update_mask: 'metadata.owner.name' goes below an entry of the map 'metadata'; name the whole entry",
            "update_mask: 'pinned.x' is not a field path of App: there is no 'x'",
            "update_mask: An empty path names no field",
            "update_mask: 'metadata.' has an empty segment",
            "update_mask: '.pinned' has an empty segment",
            "update_mask: 'metadata..owner' has an empty segment",
            "update_mask: 'metadata.`owner' has a backtick that is not closed; two of them mean one in a quoted key.",
          ].join("; "),
    );
  });
});

describe("fieldMaskViolations", () => {
  it("rejects more paths than any message has fields (WIRE-24)", () => {
    const paths = Array.from({ length: 1_001 }, () => "display_name");
    assert.deepEqual(fieldMaskViolations(DeploymentSchema, paths), [
      {
        field: "update_mask",
        description: "It has 1001 paths; the limit is 1000. Name whole messages, or '*'.",
      },
    ]);
    assert.deepEqual(fieldMaskViolations(DeploymentSchema, paths.slice(1)), []);
    assert.deepEqual(fieldMaskViolations(DeploymentSchema, ["a.".repeat(501)]), [
      { field: "update_mask", description: "A path has at most 1000 characters." },
    ]);
  });

  it("accepts '*' alone, and rejects it among other paths", () => {
    assert.deepEqual(fieldMaskViolations(DeploymentSchema, ["*"]), []);
    assert.deepEqual(fieldMaskViolations(DeploymentSchema, ["*", "display_name"], "mask"), [
      { field: "mask", description: "'*' means all fields and cannot be combined with other paths." },
    ]);
  });
});
