// The measured figures of docs/scale.md: kept as data in scale-results.json, each command's from its last run with `--publish`, and written into the page as a table.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { MachineLoad } from "./machine-load.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RESULTS = join(import.meta.dirname, "scale-results.json");
export const SCALE_PAGE = join(ROOT, "docs", "scale.md");

/** What the page has between these is made of the results. */
const [BEGINS, ENDS] = ["<!-- figures: at-rest, replicas and soak with --publish -->", "<!-- end of figures -->"];

/** One measured figure, as the page shows it. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
}

/** What one run of a command measured. */
interface ScaleRun {
  /** As it was given. */
  readonly command: string;
  /** `2026-11-24` */
  readonly date: string;
  /** `Node 24.21.0, 2 processors, load 2 to 9` */
  readonly machine: string;
  readonly figures: readonly Figure[];
}

/** The last published run of each command, by its name. */
type ScaleResults = Readonly<Record<string, ScaleRun>>;

/** What was published; empty until somebody has published figures. */
export function scaleResults(): ScaleResults {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
}

/** Keeps the figures of this run, and the load meanwhile, in place of the command's last ones, and writes all of them into the page. */
export function keepFigures(name: string, figures: readonly Figure[], load: MachineLoad): void {
  const command = `npm run ${name === "soak" ? "soak --" : "bench --"} ${process.argv
    .slice(2)
    .filter((arg) => arg !== "--publish")
    .join(" ")}`;
  const machine = `Node ${process.versions.node}, ${availableParallelism()} processors, ${load.text()}`;
  const run = { command, date: new Date().toISOString().slice(0, 10), machine, figures };
  const results = { ...scaleResults(), [name]: run };
  writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(SCALE_PAGE, withScaleFigures(readFileSync(SCALE_PAGE, "utf8"), results));
}

/** The text of the page with these figures, or with a sentence that there are none. */
export function withScaleFigures(page: string, results: ScaleResults): string {
  const [begins, ends] = [page.indexOf(BEGINS), page.indexOf(ENDS)];
  if (begins < 0 || ends < begins) throw new Error(`${SCALE_PAGE} lacks the lines ${BEGINS} and ${ENDS}`);
  return `${page.slice(0, begins + BEGINS.length)}\n\n${textOf(results)}\n\n${page.slice(ends)}`;
}

function textOf(results: ScaleResults): string {
  const runs = Object.values(results);
  if (runs.length === 0) return "No figures have been published yet: the commands print them for your machine.";
  return runs.map(tableOf).join("\n\n");
}

function tableOf({ command, date, machine, figures }: ScaleRun): string {
  const rows = figures.map(({ what, figure }) => `| ${what} | ${figure} |`);
  return [`\`${command}\` on ${date} (${machine}):`, "", "| what | figure |", "| --- | --- |", ...rows].join("\n");
}
