// `npm run chaos [-- --sessions 500 --turns 100000]`: three servers over one database, while everything fails that can; then the history is checked.
import { parseArgs } from "node:util";
import { runChaos } from "./run-chaos.ts";

const { values } = parseArgs({
  options: { sessions: { type: "string", default: "500" }, turns: { type: "string", default: "100000" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const started = performance.now();
const result = await runChaos({
  sessions: Number(values.sessions),
  turns: Number(values.turns),
  rounds: 1,
  pauseMs: 1_500,
  report: say,
});
const seconds = (performance.now() - started) / 1_000;
const sorted = result.takeovers.toSorted((left, right) => left - right);
const quantile = (share: number) => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
say(
  `${result.answered} turns answered and ${result.unanswered} not, in ${seconds.toFixed(0)} s; faults: ${JSON.stringify(result.faults)}`,
);
say(
  `takeover of ${sorted.length} sessions: half within ${quantile(0.5)}, 99 % within ${quantile(0.99)}, all within ${quantile(1)}`,
);
for (const violation of result.violations.slice(0, 50)) say(`VIOLATION ${violation}`);
say(`${result.violations.length} violations`);
process.exitCode = result.violations.length === 0 ? 0 : 1;
