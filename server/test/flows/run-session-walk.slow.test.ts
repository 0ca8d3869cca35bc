import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { startAccessServer, tokenOf } from "../access/access-server.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SESSION = "projects/local/locations/us/apps/order-desk/sessions/walk-of-a-turn";

/** Files of the walk that a text turn over REST with a Python tool does not need. */
const NOT_IN_THIS_TURN = /grpc|websocket|dialogflow|remote-agent|toolset|outbound|egress|search/;

/** Most files that somebody has to read to follow a turn from the socket to the commit. */
const MOST_FILES = 35;

describe("the walk of RunSession in docs/flows.md", () => {
  it("names, in at most 35 files, what a turn passes from the socket to the commit", async () => {
    const walk = (await filesOfWalk()).filter((file) => !NOT_IN_THIS_TURN.test(file));
    assert.ok(walk.length <= MOST_FILES, `${walk.length} files`);
    const executed = await executedFiles();
    assert.deepEqual(
      walk.filter((file) => !executed.has(pathToFileURL(join(ROOT, file)).href)),
      [],
    );
  });
});

/** The paths in the table of section (a), each once. */
async function filesOfWalk(): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, "docs", "flows.md"), "utf8");
  const [, section = ""] = /^## \(a\)[^\n]*\n(.*?)^## \(b\)/ms.exec(text) ?? [];
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return [...new Set(rows.flatMap((row) => [...row.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => path)))];
}

/** URLs of the files of which a function ran in a turn of a known caller that calls a tool, server start and first turn left out. */
async function executedFiles(): Promise<ReadonlySet<string>> {
  await using server = await startAccessServer([], { example: true });
  const send = async (text: string) => {
    const response = await fetch(`${server.address}/v1beta/${SESSION}:runSession`, {
      method: "POST",
      // A connection of its own: the walk begins with its first bytes.
      headers: { "content-type": "application/json", connection: "close", authorization: `Bearer ${tokenOf("root")}` },
      body: JSON.stringify({ config: { session: SESSION }, inputs: [{ text }] }),
    });
    return response.text();
  };
  await send("Hello");
  const inspector = new Session();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const answer = await send("Where is my order A-1001?");
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  await inspector.post("Profiler.stopPreciseCoverage");
  inspector.disconnect();
  assert.match(answer, /"toolResponse"/);
  // The function without a name at the start of a file is the file itself: it runs when it is loaded.
  const ran = result.filter(({ functions }) =>
    functions.some(
      ({ functionName, ranges: [range] }) => range && range.count > 0 && (functionName || range.startOffset),
    ),
  );
  return new Set(ran.map(({ url }) => url));
}
