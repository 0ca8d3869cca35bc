// `npm run bench [-- --quick] [--only <part of a shape's name>] [--sessions <number>]` (`-- bidi` for open conversations, `-- python` for user code alone, `-- tools` for tools alone, `-- analytics` for questions to data, `-- mcp` for MCP against REST, `-- sessions [turns]` for a long session against short ones, `-- evaluation` for runs of evaluations, `-- database` for turns over PostgreSQL, `-- replicas` for two servers over it against one, `-- at-rest` for what stored conversations and apps cost, `-- auth` for finding out who calls, `-- access` for decisions who may do what, `-- peers [--publish]` for other frameworks, `-- against <checkout>` for turns of another checkout, `-- loop` for how long requests block the event loop): the cost of the engine besides the model, as ratios against the floor in one run on this machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchAccess } from "./access.ts";
import { benchAgainst } from "./against.ts";
import { benchAnalytics } from "./analytics.ts";
import { benchAtRest } from "./at-rest.ts";
import { benchAuth } from "./auth.ts";
import { benchAuthenticatedTurns } from "./authenticated-turns.ts";
import { createBenchApps, PYTHON_APP } from "./bench-apps.ts";
import { benchBidi } from "./bidi.ts";
import { benchDatabase } from "./database.ts";
import { benchEvaluation } from "./evaluation.ts";
import { benchLoop } from "./loop.ts";
import { benchMcp } from "./mcp.ts";
import { benchPeers } from "./peers.ts";
import { residentMegabytes, runLoad, startFrontdesk, startScript } from "./processes.ts";
import { benchPython } from "./python.ts";
import { benchReplicas } from "./replicas.ts";
import { benchSessions } from "./sessions.ts";
import { benchTools } from "./tools.ts";
import { benchShapes, memoryWithSessions, say } from "./turns.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    /** Of at-rest: what is stored. */
    conversations: { type: "string", default: "100000" },
    apps: { type: "string", default: "10000" },
    /** Of peers: writes the figures into docs/benchmarks.md; of at-rest and replicas into docs/scale.md. */
    publish: { type: "boolean", default: false },
    /** Sessions at once, instead of the usual numbers. */
    sessions: { type: "string" },
    /** Where the server writes a processor profile when it ends; such a run is slower. */
    profile: { type: "string" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "frontdesk-bench-"));
try {
  if (positionals[0] === "bidi") await benchBidi(Number(positionals[1] ?? 10_000));
  else if (positionals[0] === "auth") {
    await benchAuth(join(folder, "auth"));
    await benchAuthenticatedTurns(folder);
  } else if (positionals[0] === "python") await benchPython(join(folder, "python"));
  else if (positionals[0] === "mcp") await benchMcp(folder);
  else if (positionals[0] === "peers")
    await benchPeers(folder, { seconds: values.quick ? 2 : 8, publishes: values.publish });
  else if (positionals[0] === "analytics") await benchAnalytics(join(folder, "analytics"));
  else if (positionals[0] === "sessions") await benchSessions(folder, Number(positionals[1] ?? 10_000));
  else if (positionals[0] === "database") await benchDatabase(folder, values.quick, sessionsOf(values));
  else if (positionals[0] === "replicas")
    await benchReplicas(folder, {
      sessions: sessionsOf(values) ?? 32,
      quick: values.quick,
      publishes: values.publish,
    });
  else if (positionals[0] === "at-rest")
    await benchAtRest(folder, {
      conversations: Number(values.conversations),
      apps: Number(values.apps),
      only: values.only,
      quick: values.quick,
      publishes: values.publish,
    });
  else if (positionals[0] === "against") await benchAgainst(folder, positionals[1] ?? "", values);
  else if (positionals[0] === "evaluation") await benchEvaluation(join(folder, "evaluation"));
  else if (positionals[0] === "loop") await benchLoop(join(folder, "loop"), values.only);
  else if (positionals[0] === "access") await benchAccess(join(folder, "access"));
  else if (positionals[0] === "tools") await benchTools(join(folder, "tools"));
  else await benchTurns();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function sessionsOf({ sessions }: { readonly sessions?: string | undefined }): number | undefined {
  return sessions === undefined ? undefined : Number(sessions);
}

async function benchTurns(): Promise<void> {
  await using model = await startScript("fake-model-server.ts");
  await using floor = await startScript("floor-server.ts", String(model.port), join(folder, "floor.db"));
  const configFile = join(folder, "config.yaml");
  const google = { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${model.port}/v1beta` };
  writeFileSync(configFile, JSON.stringify({ models: { providers: { google } } }));
  await prepare(configFile);
  await using ours = await startFrontdesk(join(folder, "data"), configFile, { profileFolder: values.profile });
  say(`start-up       ${ours.startMs.toFixed(0)} ms to /readyz (second start)`);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  say(`memory idle    ${residentMegabytes(ours).toFixed(0)} MB resident`);
  say("");
  const { quick, only, sessions } = values;
  const usual = quick ? [16] : [1, 16, 128];
  await benchShapes({ model, floor, ours }, quick ? 3 : 8, sessions ? [Number(sessions)] : usual, only);
  if (!quick && only === "") await memoryWithSessions(ours);
}

/** The first start builds the Python image and fills the compile cache; the second is what people wait for. */
async function prepare(configFile: string): Promise<void> {
  await using first = await startFrontdesk(join(folder, "data"), configFile);
  await createBenchApps(first.port);
  const load = { port: first.port, app: PYTHON_APP, method: "runSession", sessions: 1, seconds: 1, turnsPerSession: 5 };
  await runLoad({ ...load, method: "runSession" });
}
