import { matchesGlob } from "node:path";
import { type JsonObject, type JsonValue, objectOrEmpty, textsIn } from "#base";
import { failedPrecondition } from "#status";
import type { Rule, RuleOptions, Severity } from "./contract.ts";

type Level = Severity | "off";

/** What `cxaslint.yaml` says about rules (LINT-2). */
export interface Configuration {
  /** The severity of a report of the rule in a file; undefined = off. `hint` is the report's own severity, which the configuration overrules. */
  severity(rule: Rule, file: string, hint?: Severity): Severity | undefined;
  options(rule: string): RuleOptions;
  ignores(file: string): boolean;
  /** Rules that the settings name and that do not exist: another version of the toolkit may have them. */
  readonly unknownRules: readonly string[];
}

const LEVELS: ReadonlySet<string> = new Set(["error", "warning", "info", "off"]);

/**
 * Reads the settings. FAILED_PRECONDITION for a severity that is none. `prefix` is the path of the app in the linted
 * folder: patterns are relative to either.
 */
export function readConfiguration(
  settings: JsonObject,
  { file, prefix, rules }: { readonly file: string; readonly prefix: string; readonly rules: readonly Rule[] },
): Configuration {
  const known = new Set(rules.map(({ id }) => id));
  const levels = levelsOf(settings.rules, `${file}: rules`);
  const perFile = Object.entries(objectOrEmpty(settings.per_file)).map(
    ([pattern, value]) => [pattern, levelsOf(value, `${file}: per_file.${pattern}`)] as const,
  );
  const named = [...levels.keys(), ...perFile.flatMap(([, each]) => [...each.keys()])];
  const options = objectOrEmpty(settings.options);
  const ignored = textsIn(settings.ignore);
  const matches = (path: string, pattern: string) =>
    matchesGlob(path, pattern) || (path.startsWith(prefix) && matchesGlob(path.slice(prefix.length), pattern));
  return {
    severity: (rule, path, hint) => {
      const own = perFile.filter(([pattern]) => matches(path, pattern)).flatMap(([, each]) => each.get(rule.id) ?? []);
      const level = own.at(-1) ?? levels.get(rule.id) ?? hint ?? rule.severity;
      return level === "off" ? undefined : level;
    },
    options: (rule) => objectOrEmpty(options[rule]),
    ignores: (path) => ignored.some((pattern) => matches(path, pattern)),
    unknownRules: [...new Set(named)].filter((id) => !known.has(id)),
  };
}

function levelsOf(value: JsonValue | undefined, place: string): ReadonlyMap<string, Level> {
  return new Map(
    Object.entries(objectOrEmpty(value)).map(([rule, level]) => {
      if (level === false) return [rule, "off"];
      if (typeof level === "string" && LEVELS.has(level)) return [rule, level as Level];
      throw failedPrecondition(`${place}.${rule}: use error, warning, info or off, not '${String(level)}'.`);
    }),
  );
}
