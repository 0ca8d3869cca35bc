import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { readConfig } from "../config.ts";

describe("paths in the config file", () => {
  const folder = mkdtempSync(join(tmpdir(), "config-path-"));
  after(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    const file = join(folder, "frontdesk.yaml");
    writeFileSync(file, text);
    return readConfig(["--config", file], {});
  };

  it("are relative to its folder, in every section", () => {
    for (const name of ["sales", "docs"]) mkdirSync(join(folder, name));
    for (const name of ["cert.pem", "key.pem", "orders.csv", "password"]) writeFileSync(join(folder, name), "x");
    const config = read(`
data: state
record: recordings
tls: { cert: cert.pem, key: ./key.pem }
warehouse:
  sources:
    acme.sales: ./sales
    acme.web.orders: { path: orders.csv }
    acme.crm: { postgres: { file: password } }
search: { corpora: { projects/p/locations/l/ragCorpora/c: { folder: docs } } }
outbound: { secrets: { token: { file: password } } }
`);
    const at = (name: string) => join(folder, name);
    assert.deepEqual([config.dataDir, config.recordDir], [at("state"), at("recordings")]);
    assert.deepEqual(config.tls, { cert: at("cert.pem"), key: at("key.pem") });
    assert.deepEqual(
      config.warehouse.sources.map(({ path }) => path),
      [at("sales"), at("orders.csv")],
    );
    assert.equal(config.warehouse.postgres?.[0]?.connectionString(), "x");
    assert.deepEqual(config.outbound.secrets.files, { token: at("password") });
    assert.ok(JSON.stringify(config.search).includes(at("docs")));
  });

  it("end the start when a source of data is not there", () => {
    assert.throws(() => read("warehouse: { sources: { acme.shop: ./shopp } }"), {
      message: `warehouse.sources.acme.shop: there is no file or folder ${join(folder, "shopp")}.`,
    });
  });
});
