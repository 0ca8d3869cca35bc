// The table of turns: each shape against its floor, one after the other in one run, so that both meet the same machine.
import { definedFields } from "#base";
import { TRANSFER_APP } from "./bench-apps.ts";
import type { LoadOrder } from "./load.ts";
import { type Measured, measure, measurePairs } from "./pairs.ts";
import { type OwnProcess, type Running, residentMegabytes, runLoad } from "./processes.ts";
import { floorOf, SHAPES, type Shape } from "./shapes.ts";

/** The three processes that a turn runs through. */
interface Bench {
  readonly model: Running;
  readonly floor: Running;
  readonly ours: Running;
  /** The database of both, where it is a process of its own. */
  readonly database?: OwnProcess;
}

/** Measures the shapes whose names contain `filter` at each number of sessions and prints the table. */
export async function benchShapes(
  bench: Bench,
  seconds: number,
  concurrency: readonly number[],
  filter: string,
): Promise<void> {
  say(
    "sessions  shape                      turns/s  of floor  CPU ms  of floor  guest ms  database ms    p50 ms    p99 ms  first ms  calls",
  );
  for (const sessions of concurrency) {
    const rates = new Map<string, Rates>();
    for (const shape of SHAPES.filter(({ name }) => name.includes(filter))) {
      rates.set(shape.name, await compare(bench, shape, { sessions, seconds, turnsPerSession: 5 }));
    }
    for (const name of ["plain text", "two agents"]) {
      const [whole, streamed] = [rates.get(name), rates.get(`${name}, streamed`)];
      if (whole && streamed) say(`${String(sessions).padStart(8)}  ${name}: ${streamingOf(whole, streamed)}`);
    }
  }
}

/** Turns per second. */
interface Rates {
  readonly ours: number;
  readonly floor: number;
}

/** The floor shows the share of the client and the model, which also have more to do for a stream. */
function streamingOf(whole: Rates, streamed: Rates): string {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const [ours, floor] = [streamed.ours / whole.ours, streamed.floor / whole.floor];
  return `streaming is ${percent(ours)} of unary; of the floor's, ${percent(floor)}`;
}

/** Measures the floor and us, one after the other. */
async function compare(
  { model, floor, ours, database }: Bench,
  shape: Shape,
  load: Pick<LoadOrder, "sessions" | "seconds" | "turnsPerSession">,
): Promise<Rates> {
  const { app, method, answersCalls } = shape;
  const order = { ...load, app, method, port: ours.port, ...definedFields({ answersCalls }) };
  // Not counted: engines compile what is called often, of user Python for some seconds of processor time in each guest.
  await runLoad(order);
  const { least, measured, shares } = await measurePairs(
    () => measure({ model, database }, floor, { ...load, ...floorOf(shape), port: floor.port }),
    () => measure({ model, database }, ours, order),
  );
  say(rowOf(load.sessions, "floor", least, least));
  const firstBeyond = measured.firstByteP50 - least.firstByteP50;
  const beyond = `${firstBeyond >= 0 ? "+" : ""}${firstBeyond.toFixed(2)} ms`;
  say(`${rowOf(load.sessions, shape.name, measured, least)}  ${beyond}  (${shares} %)`);
  return { ours: measured.perSecond, floor: least.perSecond };
}

function rowOf(sessions: number, name: string, measured: Measured, floor: Measured): string {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`.padStart(8);
  const cells = [
    String(sessions).padStart(8),
    name.padEnd(25),
    measured.perSecond.toFixed(0).padStart(8),
    percent(measured.perSecond / floor.perSecond),
    measured.processorMs.toFixed(2).padStart(6),
    percent(floor.processorMs / measured.processorMs),
    measured.guestMs.toFixed(2).padStart(8),
    measured.databaseMs.toFixed(2).padStart(11),
    measured.p50.toFixed(2).padStart(8),
    measured.p99.toFixed(2).padStart(8),
    measured.firstByteP50.toFixed(2).padStart(8),
    measured.modelCallsPerTurn.toFixed(2).padStart(5),
  ];
  return cells.join("  ") + (measured.failures > 0 ? `  ${measured.failures} FAILED` : "");
}

/** Prints the resident memory after ten thousand sessions of one turn each. */
export async function memoryWithSessions(ours: Running): Promise<void> {
  let turns = 0;
  while (turns < 10_000) {
    const { turns: done } = await runLoad({
      port: ours.port,
      app: TRANSFER_APP,
      method: "runSession",
      sessions: 64,
      seconds: 4,
      turnsPerSession: 1,
    });
    turns += done;
  }
  say("");
  say(`memory         ${residentMegabytes(ours).toFixed(0)} MB resident after more than ${turns} sessions`);
}

/** Prints a line of the table. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
