import { after, before, describe } from "node:test";
import { createLogger, systemClock } from "#base";
import { openStorage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { storageContract } from "./storage-contract.ts";

describe("the database", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  storageContract("PostgreSQL", () =>
    openStorage({ dataDir: "", database: { url: postgres.url }, clock: systemClock, logger: createLogger("silent") }),
  );
});
