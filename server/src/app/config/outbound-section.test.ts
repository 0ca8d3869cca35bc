import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OutboundSectionSchema, outboundConfig } from "./outbound-section.ts";

describe("the hosts without a Google token", () => {
  const hosts = (section: object, variables: Readonly<Record<string, string>> = {}) =>
    outboundConfig(OutboundSectionSchema.parse(section), (name) => variables[name]).withoutGoogleToken;

  it("are none, or those of the file, or those of the environment, which wins", () => {
    const variables = { FRONTDESK_WITHOUT_GOOGLE_TOKEN: "localhost:9000, *.internal," };
    assert.deepEqual(hosts({}), []);
    assert.deepEqual(hosts({ withoutGoogleToken: ["localhost"] }), ["localhost"]);
    assert.deepEqual(hosts({ withoutGoogleToken: ["localhost"] }, variables), ["localhost:9000", "*.internal"]);
  });
});
