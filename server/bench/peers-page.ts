// The figures of docs/benchmarks.md: kept as data in peers/results.json, and written into the page as a table and what follows from it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Absent until somebody has published figures. */
const RESULTS = join(import.meta.dirname, "peers", "results.json");

export const BENCHMARKS_PAGE = join(ROOT, "docs", "benchmarks.md");

/** What the page has between these is made of the results. */
const [BEGINS, ENDS] = ["<!-- figures: npm run bench -- peers --publish -->", "<!-- end of figures -->"];

/** The row that is ours. */
export const OURS = "Frontdesk";

/** What one run measured. Ratios are to the floor. */
export interface PeerResults {
  /** `2026-11-23` */
  readonly date: string;
  /** `Node 24.21.0, linux x64, 2 processors` */
  readonly machine: string;
  /** Of each measurement. */
  readonly seconds: number;
  readonly servers: readonly MeasuredServer[];
}

export interface MeasuredServer {
  readonly name: string;
  /** With their versions; none for ours. */
  readonly packages: readonly string[];
  /** Turns a second, by rounds: more is better. */
  readonly speed: readonly number[];
  /** Processor time of a turn, by rounds: less is better. */
  readonly processor: readonly number[];
  readonly residentMegabytes: number;
}

/** What was published last, if anything was. */
export function publishedResults(): PeerResults | undefined {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : undefined;
}

/** Keeps the results, and writes them into the page. */
export function publish(results: PeerResults): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(BENCHMARKS_PAGE, withFigures(readFileSync(BENCHMARKS_PAGE, "utf8"), results));
}

/** The text of the page with these figures, or with a sentence that there are none. */
export function withFigures(page: string, results: PeerResults | undefined): string {
  const [begins, ends] = [page.indexOf(BEGINS), page.indexOf(ENDS)];
  if (begins < 0 || ends < begins) throw new Error(`${BENCHMARKS_PAGE} lacks the lines ${BEGINS} and ${ENDS}`);
  return `${page.slice(0, begins + BEGINS.length)}\n\n${figures(results)}\n\n${page.slice(ends)}`;
}

/** As the page shows it, and the command prints it. */
export function figures(results: PeerResults | undefined): string {
  if (!results) return "No figures have been published yet: the command prints this table for your machine.";
  const { date, machine, seconds, servers } = results;
  const rows = servers.toSorted((left, right) => median(right.speed) - median(left.speed)).map(row);
  const rounds = servers[0]?.speed.length ?? 0;
  return [
    `Measured on ${date} (${machine}), ${rounds} rounds of ${seconds} seconds each. Ratios to the floor: the median, and all rounds.`,
    "",
    "| | turns a second (more is better) | processor time of a turn (less is better) | memory, MB | versions |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    comparison(servers),
  ].join("\n");
}

function row({ name, packages, speed, processor, residentMegabytes }: MeasuredServer): string {
  const versions = packages.map((name) => `\`${name}\``).join(", ") || "this one";
  return `| ${name} | ${cell(speed)} | ${cell(processor)} | ${residentMegabytes.toFixed(0)} | ${versions} |`;
}

function cell(rounds: readonly number[]): string {
  const sorted = rounds.toSorted((left, right) => left - right).map((value) => value.toFixed(2));
  return `${median(rounds).toFixed(2)} (${sorted.join(" ")})`;
}

function median(rounds: readonly number[]): number {
  return rounds.toSorted((left, right) => left - right)[rounds.length >> 1] ?? Number.NaN;
}

/** Who is before us and who behind, in words: a table is easily read as a victory. */
function comparison(servers: readonly MeasuredServer[]): string {
  const ours = servers.find(({ name }) => name === OURS);
  if (!ours) throw new Error(`${OURS} was not measured`);
  const others = servers.filter((server) => server !== ours);
  const faster = others.filter(({ speed }) => median(speed) > median(ours.speed));
  const leaner = others.filter(({ processor }) => median(processor) < median(ours.processor));
  const smaller = others.filter(({ residentMegabytes }) => residentMegabytes < ours.residentMegabytes);
  return [
    `More turns a second than ${OURS}: ${named(faster)}.`,
    `Less processor time: ${named(leaner)}.`,
    `Less memory: ${named(smaller)}.`,
  ].join(" ");
}

function named(servers: readonly MeasuredServer[]): string {
  return servers.map(({ name }) => name).join(", ") || "none of these";
}
