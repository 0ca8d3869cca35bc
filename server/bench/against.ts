// `npm run bench -- against <checkout> [--quick] [--only <part of a shape's name>]`: turns of this checkout against those of another one, such as a worktree of
// an earlier commit with its own node_modules, measured in turn against the same model. Shows what a change costs a turn.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { definedFields } from "#base";
import { createBenchApps } from "./bench-apps.ts";
import type { LoadOrder } from "./load.ts";
import { type Measured, measure, measurePairs } from "./pairs.ts";
import { type Running, runLoad, startFrontdesk, startScript, writeModelConfig } from "./processes.ts";
import { SHAPES, type Shape } from "./shapes.ts";
import { say } from "./turns.ts";

/** Sessions that talk at once. */
const SESSIONS = 16;

/** A call of user Python takes a guest a tenth of the processor time after so many seconds of load. */
const WARM_UP_SECONDS = 8;

/** Many short measurements: what differs by a few percent is seen in the middle of them. */
const PAIRS = 9;

/** Compares both checkouts, a line for each shape whose name contains `only`. */
export async function benchAgainst(
  folder: string,
  checkout: string,
  { quick, only }: { readonly quick: boolean; readonly only: string },
): Promise<void> {
  const other = resolve(process.env.INIT_CWD ?? ".", checkout);
  if (!existsSync(join(other, "server", "src", "cli", "main.ts")))
    throw new Error(
      `${other} is not a checkout of this project; name the folder of one: npm run bench -- against <checkout>`,
    );
  await using model = await startScript("fake-model-server.ts");
  const configFile = writeModelConfig(folder, model);
  await using before = await startFrontdesk(join(folder, "before"), configFile, { checkout: other });
  await using now = await startFrontdesk(join(folder, "now"), configFile);
  await createBenchApps(before.port);
  await createBenchApps(now.port);
  say(
    "shape                      turns/s before     now  of before      CPU ms before     now  of before      guest ms before     now",
  );
  const load = { sessions: SESSIONS, seconds: quick ? 2 : 4, turnsPerSession: 5 };
  for (const shape of SHAPES.filter(({ name }) => name.includes(only)))
    await compareShape({ model, before, now }, shape, load);
}

interface Servers {
  readonly model: Running;
  readonly before: Running;
  readonly now: Running;
}

async function compareShape(
  { model, before, now }: Servers,
  { name, app, method, answersCalls }: Shape,
  load: Pick<LoadOrder, "sessions" | "seconds" | "turnsPerSession">,
): Promise<void> {
  const orderTo = ({ port }: Running) => ({ ...load, app, method, port, ...definedFields({ answersCalls }) });
  const measureOn = (server: Running) => measure({ model, database: undefined }, server, orderTo(server));
  // Not counted: engines compile what is called often, those of user Python last.
  for (const server of [before, now]) await runLoad({ ...orderTo(server), seconds: WARM_UP_SECONDS });
  const { least, measured, shares, processorShares } = await measurePairs(
    () => measureOn(before),
    () => measureOn(now),
    PAIRS,
  );
  say(rowOf(name, least, measured, { shares, processorShares }));
}

function rowOf(
  name: string,
  before: Measured,
  now: Measured,
  { shares, processorShares }: { readonly shares: string; readonly processorShares: string },
): string {
  const number = (value: number, digits: number, width: number) => value.toFixed(digits).padStart(width);
  const failures = before.failures + now.failures;
  const cells = [
    name.padEnd(25),
    number(before.perSecond, 0, 16),
    number(now.perSecond, 0, 6),
    `${shares} %`.padStart(16),
    number(before.processorMs, 2, 12),
    number(now.processorMs, 2, 6),
    `${processorShares} %`.padStart(18),
    number(before.guestMs, 2, 8),
    number(now.guestMs, 2, 6),
  ];
  return cells.join("  ") + (failures > 0 ? `  ${failures} FAILED` : "");
}
