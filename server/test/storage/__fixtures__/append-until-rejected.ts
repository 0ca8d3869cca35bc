import { createLogger, systemClock } from "#base";
import { openStorage } from "#storage";

// Appends turns to one session until the store rejects one, then prints the number of stored turns and the error messages.
const storage = await openStorage({ dataDir: process.argv[2] ?? "", clock: systemClock, logger: createLogger("silent") });
const app = "projects/p/locations/l/apps/a";
const head = { name: `${app}/conversations/c`, app, startTime: 1, endTime: 2, source: 1, inputTypes: [], entryAgent: "", deployment: "", appVersion: "", languageCode: "", state: "" };

let stored = 0;
let code = "";
while (code === "") {
  const index = stored + 1;
  try {
    await storage.conversations.appendTurn({ ...head, turnCount: index }, { index, body: new Uint8Array(20_000), extra: "", text: "" });
    stored = index;
  } catch (error) {
    code = String((error as Error).message);
  }
}
// What is left of the disk may hold a few small writes yet.
let check = "";
while (check === "") {
  check = await storage.check().then(
    () => "",
    (error: Error) => error.message,
  );
}
process.stdout.write(JSON.stringify({ stored, code, check }));
process.exit(0);
