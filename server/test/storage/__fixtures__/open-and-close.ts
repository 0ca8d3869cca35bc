import { createLogger, systemClock } from "#base";
import { openStorage } from "#storage";

/** A program: opens the data folder that it is given, writes, closes. */
const storage = await openStorage({
  dataDir: process.argv[2] ?? "",
  clock: systemClock,
  logger: createLogger("silent"),
});
await storage.blobs.put("key", Buffer.from("value"));
await storage.check();
await storage.close();
process.stdout.write("closed\n");
