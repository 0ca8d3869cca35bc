import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { callRest, LOCATION } from "./data-server.ts";

describe("files of the configuration that are no tables", () => {
  let folder: string;
  let server: TestServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-unreadable-"));
    const files = join(folder, "shop");
    mkdirSync(files);
    writeFileSync(join(files, "orders.csv"), "id,kunde\n1,Müller\n2,Groß\n");
    writeFileSync(join(files, "half.json"), '[{"id": 1}, {"id": ');
    writeFileSync(join(files, "broken.parquet"), "PAR1");
    const columns = Array.from({ length: 30_000 }, (_, at) => `c${at}`);
    writeFileSync(join(files, "wide.csv"), `${columns.join()}\n${columns.map((_, at) => at).join()}\n`);
    const sources = [{ name: ["acme", "shop"] as const, path: files }];
    const warehouse = { sources, memory: "256MB", spillDir: join(folder, "spill") };
    server = await startTestServer({ config: { warehouse } });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (tableId: string) =>
    callRest(server, "POST", `/v1beta/${LOCATION}:chat`, {
      messages: [{ userMessage: { text: "how many rows are there" } }],
      inlineContext: {
        datasourceReferences: { bq: { tableReferences: [{ projectId: "acme", datasetId: "shop", tableId }] } },
      },
    });

  it("are told beside the others in the list of tables (CA-55)", async () => {
    const { status, json } = await callRest(server, "GET", `/v1beta/${LOCATION}/dataTables`);
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual(
      json.dataTables.map(
        ({ bigqueryTableReference: { tableId } }: { bigqueryTableReference: { tableId: string } }) => tableId,
      ),
      ["orders"],
    );
    assert.deepEqual(json.unreachableSources.map(({ source }: { source: string }) => source).sort(), [
      ...["acme.shop.broken", "acme.shop.half", "acme.shop.wide"],
    ]);
  });

  it("are named to who asks them, with what is wrong and no folder of this machine", async () => {
    const answer = JSON.stringify(await ask("half"));
    assert.match(answer, /FAILED_PRECONDITION|TABLE_FILE_UNREADABLE/);
    assert.match(answer, /half\.json/);
    assert.ok(!answer.includes(folder), answer);
  });

  it("are told when they need more memory than there is", async () => {
    const { status, json } = await ask("wide");
    assert.equal(status, 400, JSON.stringify(json));
    assert.match(
      JSON.stringify(json),
      /The file wide\.csv needs more memory to be read as a table than there is: split it/,
    );
  });

  it("keep nobody from asking the others", async () => {
    assert.match(JSON.stringify((await ask("orders")).json), /"text"/);
  });
});

it("an uploaded file whose content a restored data folder lacks is named to who asks it, and to who changes it", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-lost-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the API
  let file: any;
  {
    await using server = await startTestServer({ dataDir });
    const place = `${server.address}/upload/v1beta/${LOCATION}/dataFiles?displayName=orders.csv`;
    file = await (await fetch(place, { method: "POST", body: "id,price\n1,5\n2,7\n" })).json();
  }
  rmSync(join(dataDir, "uploads"), { recursive: true });
  const blobs = readdirSync(join(dataDir, "blobs"), { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of blobs) rmSync(join(dataDir, "blobs", name));
  await using server = await startTestServer({ dataDir });
  const [{ tableReference }] = file.tables;
  const asked = await callRest(server, "POST", `/v1beta/${LOCATION}:chat`, {
    messages: [{ userMessage: { text: "how many rows are there" } }],
    inlineContext: { datasourceReferences: { bq: { tableReferences: [tableReference] } } },
  });
  const changed = await callRest(server, "PATCH", `/v1beta/${file.name}?updateMask=tables`, { tables: file.tables });
  for (const answer of [asked, changed]) {
    const text = JSON.stringify(answer.json);
    assert.match(text, /DATA_FILE_LOST/);
    assert.match(text, /'orders\.csv' is gone.*upload the file again/);
  }
  assert.equal((await callRest(server, "DELETE", `/v1beta/${file.name}`)).status, 200);
});
