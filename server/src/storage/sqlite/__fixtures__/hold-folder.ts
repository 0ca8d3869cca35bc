import { createLogger, systemClock } from "#base";
import { openStorage } from "../../open-storage.ts";

// Opens the data folder it is given, says so, and holds it until it is killed.
await openStorage({ dataDir: process.argv[2] ?? "", clock: systemClock, logger: createLogger("silent") });
process.send?.("open");
