import { definedFields } from "#base";
import type { Sandbox } from "#sandbox";
import type { ImportFindings, LintedApp, PersonalDataFinder } from "./app/linted-app.ts";
import { type Location, locateApp } from "./app/locate-app.ts";
import { readApp } from "./app/read-app.ts";
import { type Configuration, readConfiguration } from "./configuration.ts";
import type { Finding } from "./contract.ts";
import { applyFixes } from "./fixes.ts";
import { RULES } from "./rules.ts";

/** What to lint. */
export interface LintRequest {
  /** The app's folder, or one with the app in it. */
  readonly folder: string;
  /** Settings in place of the folder's `cxaslint.yaml`. */
  readonly configFile?: string;
  /** Mends what is certain before the findings are returned. */
  readonly fix?: boolean;
}

/** What rules need besides the files. */
interface LintDeps {
  readonly sandbox: Sandbox;
  /** What import and validation say of the app in a folder. */
  readonly importFindings: (folder: string) => Promise<ImportFindings>;
  readonly personalData: PersonalDataFinder;
}

/** The findings of a folder. */
export interface LintResult {
  /** By file, line and rule; paths are relative to the folder. */
  readonly findings: readonly Finding[];
  /** How many findings `fix` mended. */
  readonly fixed: number;
  /** What of the settings has no effect. */
  readonly warnings: readonly string[];
}

/** Runs over a folder after which nothing more is mended, at most: a fix can only make room for one that overlapped it. */
const MAX_PASSES = 10;

/** Lints an app in a folder (LINT-1). FAILED_PRECONDITION when there is no app, or its settings are wrong. */
export async function lintFolder(request: LintRequest, deps: LintDeps): Promise<LintResult> {
  const location = await locateApp(request.folder, request.configFile);
  const { configFile: file, prefix, config } = location;
  const configuration = readConfiguration(config, { file, prefix, rules: RULES });
  const warnings = configuration.unknownRules.map((id) => `${file}: there is no rule '${id}'.`);
  let fixed = 0;
  for (let pass = 1; ; pass += 1) {
    const findings = await findingsIn(location, configuration, deps);
    const mended = request.fix && pass < MAX_PASSES ? await applyFixes(findings, location.root) : 0;
    if (mended === 0) return { findings, fixed, warnings };
    fixed += mended;
  }
}

async function findingsIn(
  location: Location,
  configuration: Configuration,
  deps: LintDeps,
): Promise<readonly Finding[]> {
  const imported = await deps.importFindings(`${location.root}/${location.prefix}`);
  const app = await readApp(location, deps.sandbox, { imported, personalData: deps.personalData });
  return withoutRepetitions(reported(app, configuration)).sort(byPlace);
}

function reported(app: LintedApp, configuration: Configuration): readonly Finding[] {
  return RULES.flatMap((rule) =>
    [...rule.check(app, configuration.options(rule.id))].flatMap(({ place, message, severity: hint, fix }) => {
      if (configuration.ignores(place.file)) return [];
      const severity = configuration.severity(rule, place.file, hint);
      return severity ? [{ rule: rule.id, severity, ...place, message, ...definedFields({ fix }) }] : [];
    }),
  );
}

/** Without what import and validation say of a line that a rule of the toolkit reports too, and without equal findings. */
function withoutRepetitions(findings: readonly Finding[]): Finding[] {
  const line = (finding: Finding) => `${finding.file}:${finding.line}`;
  const reported = new Set(findings.filter(({ rule }) => !rule.startsWith("P")).map(line));
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${line(finding)}:${finding.column}:${finding.rule}:${finding.message}`;
    const isRepeated = finding.rule.startsWith("P") && hasPlace(finding) && reported.has(line(finding));
    if (!isRepeated && !kept.has(key)) kept.set(key, finding);
  }
  return [...kept.values()];
}

/** Whether the line is known: what concerns a whole file is at its beginning. */
function hasPlace({ file, line = 1, column = 1 }: Finding): boolean {
  return line > 1 || column > 1 || file.endsWith(".py");
}

function byPlace(one: Finding, other: Finding): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return (
    (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0) || (one.rule < other.rule ? -1 : 1)
  );
}
