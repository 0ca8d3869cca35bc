// What a durable turn over PostgreSQL costs, against the least that a Node server can do over the same PostgreSQL.
import { join } from "node:path";
import { startPostgres, withoutPostgres } from "#testing";
import { createBenchApps } from "./bench-apps.ts";
import { databaseVariables, startFrontdesk, startScript, writeModelConfig } from "./processes.ts";
import { benchShapes, say } from "./turns.ts";

/** The table of plain turns, each with a commit that waits for the disk. `sessions`: at once, instead of the usual numbers. */
export async function benchDatabase(folder: string, quick: boolean, sessions?: number): Promise<void> {
  const missing = withoutPostgres();
  if (missing !== undefined) return say(missing);
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres({ fsync: true });
  resources.defer(() => postgres.stop());
  await using model = await startScript("fake-model-server.ts");
  await using floor = await startScript("floor-server.ts", String(model.port), postgres.url);
  const configFile = writeModelConfig(folder, model);
  const variables = databaseVariables(postgres.url);
  await using ours = await startFrontdesk(join(folder, "one"), configFile, { variables });
  await createBenchApps(ours.port);
  const usual = quick ? [16] : [1, 16, 128];
  const concurrency = sessions === undefined ? usual : [sessions];
  const database = { child: { pid: postgres.pid } };
  await benchShapes({ model, floor, ours, database }, quick ? 3 : 8, concurrency, "plain text");
}
