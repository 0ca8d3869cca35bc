import { createLogger, systemClock } from "#base";
import { openStorage } from "#storage";

// Opens the data folder of its argument, reports that, and keeps it locked until it is killed.
await openStorage({ dataDir: process.argv[2] ?? "", clock: systemClock, logger: createLogger("silent") });
process.send?.("open");
