import { compareVersions } from "../statistics/compare-versions.ts";
import { type PassRate, passAllOf, passRate } from "../statistics/pass-rate.ts";
import { shareText } from "../statistics/share-text.ts";
import { allOf, type Verdict, verdictOf } from "../verdict.ts";
import type { Gate, GatesFile } from "./gates-file.ts";

/** A case of a run with the verdicts of its repeats. */
export interface GatedCase {
  readonly name: string;
  readonly tags: readonly string[];
  readonly verdicts: readonly Verdict[];
  /** The seconds of each turn that was taken. */
  readonly turnSeconds: readonly number[];
}

/** What came of a gate. */
interface GateResult {
  readonly gate: Gate;
  readonly verdict: Verdict;
  /** One sentence or more: what was found, with numbers. */
  readonly explanation: string;
}

/** What gates are checked against. */
export interface GateInput {
  readonly cases: readonly GatedCase[];
  /** The same cases against another version, by the name that a gate gives it. */
  readonly baselines: ReadonlyMap<string, readonly GatedCase[]>;
  /** `2026-12-31`: cases that are set aside until an earlier day count again. */
  readonly today: string;
}

/** All gates of a run, and cases whose time aside is over. */
export interface GateReport {
  readonly results: readonly GateResult[];
  readonly verdict: Verdict;
  /** Sentences about cases that are set aside, or no longer. */
  readonly notes: readonly string[];
}

/** Checks the gates of an app (EVAL-24). */
export function checkGates({ gates, setAside }: GatesFile, input: GateInput): GateReport {
  const aside = new Set(setAside.filter(({ until }) => until >= input.today).map((entry) => entry.case));
  const counted = (cases: readonly GatedCase[]) => cases.filter(({ name }) => !aside.has(name));
  const results = gates.map((gate) => {
    const cases = counted(input.cases).filter(({ tags }) => gate.tag === undefined || tags.includes(gate.tag));
    return { gate, ...check(gate, cases, counted(input.baselines.get(gate.against ?? "") ?? [])) };
  });
  const known = new Set(input.cases.map(({ name }) => name));
  const notes = setAside.map(({ case: name, until, reason }) => {
    if (!known.has(name)) return `'${name}' is set aside, but no case has this name.`;
    return until >= input.today
      ? `'${name}' does not count until ${until}: ${reason}`
      : `'${name}' was set aside until ${until} and counts again.`;
  });
  return { results, verdict: allOf(results.map(({ verdict }) => verdict)), notes };
}

type Check = Pick<GateResult, "verdict" | "explanation">;

function check(gate: Gate, cases: readonly GatedCase[], baseline: readonly GatedCase[]): Check {
  if (cases.length === 0) {
    const which = gate.tag === undefined ? "No case counts" : `No case has the tag '${gate.tag}'`;
    return { verdict: "not-measured", explanation: `${which}.` };
  }
  if (gate.against !== undefined) return checkDrop(gate, cases, baseline);
  if (gate.passAll !== undefined) return checkEach(gate.passAll, gate.atLeast ?? 1, cases);
  if (gate.within !== undefined) return checkTurns(gate.within, gate.atLeast ?? 1, cases);
  return checkRate(gate.atLeast ?? 1, passRate(cases.flatMap(({ verdicts }) => verdicts)), "passed");
}

/** The share of turns that took no longer than they may (EVAL-98). An attempt that was not measured stands for one turn that nobody knows. */
function checkTurns(within: number, atLeast: number, cases: readonly GatedCase[]): Check {
  const turns = cases.flatMap(({ name, turnSeconds }) => turnSeconds.map((seconds) => ({ name, seconds })));
  const unknown = cases.flatMap(({ verdicts }) => verdicts.filter((verdict) => verdict === "not-measured"));
  const rate = passRate([...turns.map(({ seconds }) => verdictOf(seconds <= within)), ...unknown]);
  const checked = checkRate(atLeast, rate, `turns took ${within} s or less`);
  const slow = turns.filter(({ seconds }) => seconds > within).sort((one, other) => other.seconds - one.seconds);
  if (slow.length === 0) return checked;
  const list = listed(slow, ({ name, seconds }) => `${seconds.toFixed(1)} s in '${name}'`);
  return { ...checked, explanation: `${checked.explanation} Slower: ${list}.` };
}

/** pass^k of each case. */
function checkEach(k: number, atLeast: number, cases: readonly GatedCase[]): Check {
  const rated = cases.map(({ name, verdicts }) => {
    const rate = passRate(verdicts);
    return { name, rate, all: passAllOf(k, rate) };
  });
  const below = rated.filter(({ all, rate }) => (all ?? 1) < atLeast || (rate.passed < rate.n && atLeast === 1));
  const open = rated.filter(({ all }) => all === undefined);
  if (below.length > 0) {
    const list = listed(below, ({ name, rate }) => `'${name}' passed ${rate.passed} of ${rate.n}`);
    return { verdict: "failed", explanation: `${list}; pass^${k} must be ${atLeast} or more.` };
  }
  if (open.length > 0) {
    const list = listed(open, ({ name, rate }) => `'${name}' has ${rate.n} of ${k} known verdicts`);
    return { verdict: "not-measured", explanation: `${list}. Run it ${k} times.` };
  }
  return { verdict: "passed", explanation: `pass^${k} of all ${cases.length} cases is ${atLeast} or more.` };
}

/** Cases that a sentence names; the reports list all. */
const MOST_NAMED = 20;

function listed<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  const named = items.slice(0, MOST_NAMED).map(textOf).join("; ");
  return items.length > MOST_NAMED ? `${named}; and ${items.length - MOST_NAMED} more` : named;
}

/** `what`: what those that pass did. */
function checkRate(atLeast: number, { n, passed, rate, interval, notMeasured }: PassRate, what: string): Check {
  if (rate === undefined || !interval) {
    const explanation = notMeasured === 0 ? "No turn was taken." : `None of ${notMeasured} verdicts is known.`;
    return { verdict: "not-measured", explanation };
  }
  const [low, high] = interval;
  // It passes only when it would whatever had come of the others: one that passed of a thousand is no proof.
  const isUndecided = rate >= atLeast && passed / (n + notMeasured) < atLeast;
  const missing = missingText(notMeasured, isUndecided ? `enough to bring it below ${asked(atLeast)}` : "");
  const explanation = `${passed} of ${n} ${what}: ${shareText(rate)} (95 % interval ${shareText(low)} to ${shareText(high)}); ${asked(atLeast)} is asked for.${missing}`;
  return { verdict: isUndecided ? "not-measured" : verdictOf(rate >= atLeast), explanation };
}

/** ` 3 were not measured, enough to …`; "" where all were. */
function missingText(notMeasured: number, consequence: string): string {
  if (notMeasured === 0) return "";
  const sentence = `${notMeasured} ${notMeasured === 1 ? "was" : "were"} not measured`;
  return consequence === "" ? ` ${sentence}.` : ` ${sentence}, ${consequence}.`;
}

/** No significant drop against another version, case by case. */
function checkDrop(
  { against = "", level = 0.05 }: Gate,
  cases: readonly GatedCase[],
  baseline: readonly GatedCase[],
): Check {
  const before = new Map(baseline.map((one) => [one.name, one]));
  const paired = cases.flatMap(({ name, verdicts }) => {
    const other = before.get(name);
    return other ? [{ before: other.verdicts, after: verdicts }] : [];
  });
  const { n, notMeasured, worse, better, pDrop, detectableDrop } = compareVersions(paired, level);
  if (n === 0) {
    return { verdict: "not-measured", explanation: `No case was measured both now and against '${against}'.` };
  }
  const power =
    detectableDrop === undefined
      ? `${n} ${n === 1 ? "case is" : "cases are"} too few to find any drop.`
      : `Had ${shareText(detectableDrop)} of the cases or more got worse, 4 of 5 runs would have found it.`;
  // As above: it passes only when it would had all that were not measured got worse.
  const isUndecided = pDrop > level && compareVersions(paired.map(worst), level).pDrop <= level;
  const missing = missingText(notMeasured, isUndecided ? "enough to be a drop" : "");
  const explanation = `Against '${against}', ${worse} of ${n} cases got worse and ${better} better (p = ${pDrop.toPrecision(2)}). ${power}${missing}`;
  return { verdict: isUndecided ? "not-measured" : verdictOf(pDrop > level), explanation };
}

type PairedVerdicts = Readonly<Record<"before" | "after", readonly Verdict[]>>;

/** A pair with the worst that may have come of what was not measured. */
function worst({ before, after }: PairedVerdicts): PairedVerdicts {
  return { before: known(before, "passed"), after: known(after, "failed") };
}

/** The verdicts with another one in place of those that were not measured. */
function known(verdicts: readonly Verdict[], assumed: Verdict): readonly Verdict[] {
  return verdicts.map((verdict) => (verdict === "not-measured" ? assumed : verdict));
}

/** What a gate asks for, as its file says it. */
function asked(atLeast: number): string {
  return `${Number((atLeast * 100).toPrecision(12))} %`;
}
