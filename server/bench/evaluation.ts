import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBenchApps, PLAIN_APP } from "./bench-apps.ts";
import { type Running, startFrontdesk, startScript } from "./processes.ts";
import { say } from "./turns.ts";

/** 1,000 turns in goldens of four. */
const [GOLDENS, TURNS] = [250, 4];

/** How often each golden runs for the results that are scored again at once: 10,000. */
const REPEATS = 40;

/** Cases at once of the overhead's measurement, and how long its model takes to answer, in milliseconds. */
const [AT_ONCE, MODEL_MS] = [64, 500];

/**
 * Runs of evaluations: 1,000 golden turns asked of a model, again with kept answers, scored again without the app; 10,000 results scored again at
 * once; and what a run of 64 cases at once adds to the time of a model that takes half a second.
 */
export async function benchEvaluation(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await benchKeptAnswers(join(folder, "kept"));
  await benchOverhead(join(folder, "overhead"));
}

async function benchKeptAnswers(folder: string): Promise<void> {
  await using model = await startScript("fake-model-server.ts");
  await using server = await startWith(model, folder, 8);
  const evaluations = await createGoldens(server, GOLDENS, TURNS);
  const asked = await runAll(server, evaluations, "FORCE_RUN");
  const kept = await runAll(server, evaluations, "SKIP_IF_UNCHANGED");
  say(
    `${GOLDENS * TURNS} golden turns: ${seconds(asked.ms)} asked, ${seconds(kept.ms)} with kept answers; promised are 10 s`,
  );
  const started = performance.now();
  await Promise.all(kept.results.map((name) => finished(server, `${name}:runEvaluationResultMetrics`, {})));
  say(`${kept.results.length} results scored again, a request each: ${seconds(performance.now() - started)}`);
  const { results } = await runAll(server, evaluations, "FORCE_RUN", REPEATS);
  const again = performance.now();
  await finished(server, `${PLAIN_APP}/evaluations/-/results/-:runEvaluationResultMetrics`, {});
  const count = asked.results.length + kept.results.length + results.length;
  say(
    `${count} results of ${TURNS} turns scored again in one request: ${seconds(performance.now() - again)}; promised are 5 s for 10,000`,
  );
}

async function benchOverhead(folder: string): Promise<void> {
  await using model = await startScript("fake-model-server.ts", String(MODEL_MS));
  await using server = await startWith(model, folder, AT_ONCE);
  const evaluations = await createGoldens(server, 4 * AT_ONCE, TURNS);
  await runAll(server, evaluations.slice(0, AT_ONCE), "FORCE_RUN");
  const before = await modelMs(model);
  const { ms, results } = await runAll(server, evaluations, "FORCE_RUN");
  const modelTime = (await modelMs(model)) - before;
  const turns = await Promise.all(results.map((name) => turnMs(server, name)));
  const turnTime = turns.reduce((sum, turn) => sum + turn, 0);
  say(
    `${AT_ONCE} cases at once: the turns took ${((turnTime / modelTime - 1) * 100).toFixed(1)} % longer than the model; promised are 2 %. ` +
      `The run took ${seconds(ms)}; the model's time, ${AT_ONCE} at once, is ${seconds(modelTime / AT_ONCE)}`,
  );
}

async function modelMs({ port }: Running): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/milliseconds`)).text());
}

/** What the turns of a result took together, in milliseconds. */
async function turnMs(server: Running, result: string): Promise<number> {
  const { goldenResult } = await call(server, "GET", result);
  const { turnReplayResults } = goldenResult as { turnReplayResults: { turnLatency: string }[] };
  return turnReplayResults.reduce((sum, { turnLatency }) => sum + 1_000 * Number.parseFloat(turnLatency), 0);
}

async function startWith(model: Running, folder: string, concurrency: number) {
  mkdirSync(folder, { recursive: true });
  const configFile = join(folder, "config.yaml");
  const google = { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${model.port}/v1beta` };
  writeFileSync(configFile, JSON.stringify({ models: { providers: { google } }, evaluation: { concurrency } }));
  const server = await startFrontdesk(join(folder, "data"), configFile);
  await createBenchApps(server.port);
  return server;
}

/** Goldens that expect what the model says, so that no judge is asked. */
async function createGoldens(server: Running, count: number, turns: number): Promise<readonly string[]> {
  const text = "Your order has left our warehouse and should be with you by Thursday evening at the latest .";
  const names: string[] = [];
  for (let number = 0; number < count; number++) {
    const steps = (turn: number) => [
      { userInput: { text: `Question ${number}-${turn}` } },
      { expectation: { agentResponse: { role: "agent", chunks: [{ text }] } } },
    ];
    const golden = { turns: Array.from({ length: turns }, (_, turn) => ({ steps: steps(turn) })) };
    const created = await call(server, "POST", `${PLAIN_APP}/evaluations`, { displayName: `Golden ${number}`, golden });
    names.push(created.name as string);
  }
  return names;
}

async function runAll(server: Running, evaluations: readonly string[], runCachingMode: string, runCount = 1) {
  const started = performance.now();
  const body = { evaluations, runCount, evaluationRunCachingSettings: { runCachingMode } };
  const { evaluationRun } = await finished(server, `${PLAIN_APP}:runEvaluation`, body);
  const ms = performance.now() - started;
  const run = await call(server, "GET", String(evaluationRun));
  const { passedCount, totalCount } = run.progress as { passedCount?: number; totalCount: number };
  if (passedCount !== totalCount) throw new Error(`${passedCount ?? 0} of ${totalCount} goldens passed`);
  return { ms, results: run.evaluationResults as readonly string[] };
}

/** The response of a long-running method, as soon as it is done. */
async function finished(server: Running, path: string, body: object): Promise<Record<string, unknown>> {
  let operation = await call(server, "POST", path, body);
  while (!operation.done) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    operation = await call(server, "GET", String(operation.name));
  }
  if (operation.error) throw new Error(JSON.stringify(operation.error));
  return operation.response as Record<string, unknown>;
}

async function call({ port }: Running, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/v1beta/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
