import type { LintedApp } from "./app/linted-app.ts";

/** How grave a finding is. Errors fail a run, warnings only with `--strict`, and infos never. */
export type Severity = "error" | "warning" | "info";

/** A place in a file: its path from the linted folder, line and column from 1 (UTF-16 units, as editors count). */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The replacement of a part of a file, by offsets in UTF-16 units. */
export interface TextEdit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a rule found. `severity` is below the rule's own where the rule is only a hint there. */
export interface Report {
  readonly place: Place;
  /** One sentence: what is wrong, and the fix where it is not obvious. */
  readonly message: string;
  readonly severity?: Severity;
  /** Edits that mend it, whatever was meant. */
  readonly fix?: readonly TextEdit[];
}

/** A report with its rule and final severity (LINT-3). */
export interface Finding extends Place {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly fix?: readonly TextEdit[];
}

/** Options of one rule in `cxaslint.yaml`. */
export type RuleOptions = Readonly<Record<string, unknown>>;

/** One rule. Its row in docs/lint.md is made from this. */
export interface Rule {
  /** As in the toolkit, e.g. `I003`; `P…` are ours. */
  readonly id: string;
  /** As in the toolkit, e.g. `excessive-if-else`. */
  readonly name: string;
  readonly severity: Severity;
  /** The toolkit's own severity, where it is another one (LINT-4). */
  readonly toolkitSeverity?: Severity;
  /** What it reports, as a phrase. */
  readonly summary: string;
  /** Whether `--fix` mends it where the fix is certain. */
  readonly fixable?: boolean;
  readonly check: (app: LintedApp, options: RuleOptions) => Iterable<Report>;
}
