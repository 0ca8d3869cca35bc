// `npm run chaos [-- --sessions 500 --clients 1 --turns 100000 --pace 100]`: three servers over one database, while everything fails that can; then the history is checked. `--minutes` ends it
// earlier, with the check. Without `--pace` each session sends its next turn when it has an answer, which is more than two processors take: a turn then waits for other turns, and so does a takeover.
import { parseArgs } from "node:util";
import { watchLoad } from "../../../bench/machine-load.ts";
import { runChaos } from "./run-chaos.ts";

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "500" },
    /** In each session at the same time: their turns meet on different servers. */
    clients: { type: "string", default: "1" },
    turns: { type: "string", default: "100000" },
    /** Turns a second of all sessions. */
    pace: { type: "string" },
    /** After so long it ends, whatever was answered. */
    minutes: { type: "string" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const load = watchLoad();
const started = performance.now();
const result = await runChaos({
  sessions: Number(values.sessions),
  clients: Number(values.clients),
  turns: Number(values.turns),
  rounds: 1,
  pauseMs: 1_500,
  pace: values.pace === undefined ? undefined : Number(values.pace),
  awayMs: 3_000,
  ...(values.minutes !== undefined && { signal: AbortSignal.timeout(Number(values.minutes) * 60_000) }),
  report: say,
});
const seconds = (performance.now() - started) / 1_000;
const sorted = result.takeovers.toSorted((left, right) => left - right);
const quantile = (share: number) => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
say(
  `${result.answered} turns answered and ${result.unanswered} not, in ${seconds.toFixed(0)} s; faults: ${JSON.stringify(result.faults)}; ${load.text()}`,
);
say(
  `takeover of ${sorted.length} sessions: half within ${quantile(0.5)}, 99 % within ${quantile(0.99)}, all within ${quantile(1)}`,
);
for (const violation of result.violations.slice(0, 50)) say(`VIOLATION ${violation}`);
say(`${result.violations.length} violations`);
process.exitCode = result.violations.length === 0 ? 0 : 1;
