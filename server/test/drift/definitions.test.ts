import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { startTestServer } from "#testing";
import { compileDefinitions, definitionFacts } from "../../drift/definitions-surface.ts";
import { REFUSED_DEFINITIONS } from "../../drift/refused.ts";

const CLIENT = dirname(createRequire(import.meta.url).resolve("@google-cloud/geminidataanalytics/package.json"));
const FOLDER = "google/cloud/geminidataanalytics";

describe("the client of Conversational Analytics", () => {
  it("has no field, value or method in its definitions that is not served", async () => {
    await using server = await startTestServer();
    const theirs = compileDefinitions(join(CLIENT, "build", "protos"), [`${FOLDER}/v1alpha`, `${FOLDER}/v1beta`]);
    const served = new Set(definitionFacts(server.app.registry.types, "google.cloud.geminidataanalytics."));
    assert.deepEqual(
      definitionFacts(theirs, "google.cloud.geminidataanalytics.").filter((fact) => !served.has(fact)),
      Object.keys(REFUSED_DEFINITIONS),
    );
  });
});
