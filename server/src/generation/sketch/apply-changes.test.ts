import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import { systemIds } from "#base";
import type { AppTree } from "#resources";
import { type AppChanges, AppChangesShape } from "./app-changes.ts";
import { applyChanges } from "./apply-changes.ts";
import { shownApp } from "./shown-app.ts";

const EMPTY: AppTree = {
  app: create(AppSchema, { name: "projects/p/locations/us/apps/desk", displayName: "Desk" }),
  ...{ agents: [], tools: [], toolsets: [], guardrails: [], examples: [] },
  ...{ evaluations: [], evaluationDatasets: [], evaluationExpectations: [] },
};

/** The draft of what a model wrote, defaults left out. */
const draftOf = (written: object, tree = EMPTY) =>
  applyChanges(tree, AppChangesShape.parse({ explanation: "", ...written }) as AppChanges, { base: EMPTY }, systemIds);

describe("the languages of a generated app", () => {
  it("are those that the model writes, the default first, and are shown to it", () => {
    const { tree, problems } = draftOf({ app: { languages: ["de-DE", "en-GB", "de-DE"] } });
    assert.deepEqual(problems, []);
    const { defaultLanguageCode, supportedLanguageCodes, enableMultilingualSupport } = tree.app.languageSettings ?? {};
    assert.deepEqual(
      [defaultLanguageCode, supportedLanguageCodes, enableMultilingualSupport],
      ["de-DE", ["en-GB"], true],
    );
    assert.deepEqual(JSON.parse(shownApp(tree)).app.languages, ["de-DE", "en-GB"]);
    const { app } = draftOf({ app: { description: "A desk." } }, tree).tree;
    assert.deepEqual(app.languageSettings, tree.app.languageSettings, "what it leaves out stays");
  });

  it("are a problem of the draft when they are none", () => {
    assert.deepEqual(draftOf({ app: { languages: ["German", "de_DE", "es-419"] } }).problems, [
      "app.languages: 'German' is no BCP-47 code such as 'de-DE'.",
      "app.languages: 'de_DE' is no BCP-47 code such as 'de-DE'.",
    ]);
  });
});

describe("a generated list", () => {
  it("holds items of the type of its default", () => {
    const lists = { orders: '[{"id": 1}]', counts: "[1, 2]", names: "[]", tags: "" };
    const variables = Object.entries(lists).map(([name, default_json]) => ({
      ...{ name, type: "ARRAY", description: "", default_json },
    }));
    const { tree } = draftOf({ variables });
    assert.deepEqual(
      tree.app.variableDeclarations.map(({ schema }) => schema?.items?.type),
      [Type.OBJECT, Type.INTEGER, Type.STRING, Type.STRING],
    );
  });
});
