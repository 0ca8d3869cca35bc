import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LOOKER, lookerInstances } from "./looker-section.ts";

describe("warehouse.looker", () => {
  it("maps instances by address, and reads the secret when it is needed", () => {
    const section = LOOKER.parse({
      "https://acme.cloud.looker.com": {},
      "https://ops.example.com:19999": { clientId: "id", clientSecret: { env: "OPS_SECRET" } },
    });
    const environment = new Map<string, string>();
    const [acme, ops] = lookerInstances(section, (name) => environment.get(name));
    assert.deepEqual(acme, { origin: "https://acme.cloud.looker.com" });
    assert.equal(ops?.origin, "https://ops.example.com:19999");
    assert.throws(() => ops?.apiKey?.(), /clientSecret: the variable OPS_SECRET is empty/);
    environment.set("OPS_SECRET", "s3");
    assert.deepEqual(ops?.apiKey?.(), { clientId: "id", clientSecret: "s3" });
  });

  it("accepts plain http for this machine only, no paths, and no incomplete keys", () => {
    const wrong = [
      { "http://looker.example.com": {} },
      { "https://looker.example.com/explore": {} },
      { "https://looker.example.com": { clientId: "id" } },
    ];
    for (const section of wrong) assert.equal(LOOKER.safeParse(section).success, false, JSON.stringify(section));
    assert.equal(LOOKER.safeParse({ "http://127.0.0.1:9999": {} }).success, true);
  });
});
