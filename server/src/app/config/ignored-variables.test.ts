import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { ignoredVariables } from "./ignored-variables.ts";

describe("variables that look like settings", () => {
  it("are named when they are none, with the one that was probably meant", () => {
    const ignored = (name: string) => ignoredVariables({ [name]: "x" }, {})[0];
    assert.equal(
      ignored("FRONTDESK_DATABSE_URL"),
      "FRONTDESK_DATABSE_URL is no setting and was ignored; did you mean FRONTDESK_DATABASE_URL?",
    );
    assert.match(`${ignored("FRONTDESK_PROT")}`, /did you mean FRONTDESK_PORT\?$/);
    assert.match(`${ignored("FRONTDESK_DATA_BASE_URL")}`, /did you mean FRONTDESK_DATABASE_URL\?$/);
    assert.match(`${ignored("FRONTDESK_COLOUR_OF_THE_SKY")}`, /docs\/configuration\.md lists the settings$/);
  });

  it("are no concern when the documentation has them, the config file names them, or Kubernetes sets them for its services", () => {
    const documented = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8");
    const names = [...new Set(documented.match(/FRONTDESK_[A-Z0-9_]+/g) ?? [])];
    assert.ok(names.length > 40);
    const theirs = ["SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT_8080_TCP", "PORT_8080_TCP_ADDR"];
    const all = [...names, ...theirs.map((name) => `FRONTDESK_${name}`), "FRONTDESK_CRM_KEY", "HOME"];
    const environment = Object.fromEntries(all.map((name) => [name, "x"]));
    const content = { outbound: { secrets: { crm: { env: "FRONTDESK_CRM_KEY" } } } };
    assert.deepEqual(ignoredVariables(environment, content), []);
  });
});
