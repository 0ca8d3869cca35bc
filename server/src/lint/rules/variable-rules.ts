import { isJsonObject } from "#base";
import type { LintedApp, LintedResource } from "../app/linted-app.ts";
import { listField, objectField } from "../app/manifest-fields.ts";
import type { SourceText } from "../app/source-text.ts";
import type { Place, Report, Rule } from "../contract.ts";
import { atField, factsOf, quoted } from "./report.ts";
import { lookUpVariable, type VariableUse } from "./variable-names.ts";

/** V100 – V104: session variables. */
export const VARIABLE_RULES: readonly Rule[] = [
  {
    id: "V100",
    name: "variable-declared",
    severity: "error",
    summary: "a variable that code or an evaluation uses and the app does not declare",
    check: (app) => ofKind(app, "undeclared", ({ name }) => `'${name}' is no variable that the app declares`),
  },
  {
    id: "V101",
    name: "variable-type-match",
    severity: "error",
    summary: "a literal that code writes to a variable of another type",
    check: wrongTypes,
  },
  {
    id: "V102",
    name: "nested-property-exists",
    severity: "error",
    summary: "a property that the variable's schema lacks",
    check: (app) =>
      ofKind(app, "no-property", ({ name, use }) =>
        use.owner.type === "OBJECT"
          ? `'${name}': '${use.owner.name}' has no property '${use.property}'; it has ${quoted(use.owner.properties.keys())}`
          : `'${name}': '${use.owner.name}' is a ${use.owner.type || "value"} and has no properties`,
      ),
  },
  {
    id: "V103",
    name: "no-stale-flat-var-regression",
    severity: "warning",
    summary: "a name that is only a property of a declared variable",
    check: (app) =>
      ofKind(app, "nested", ({ name, use }) => `'${name}' is declared as ${quoted(use.paths)} only; write that path`),
  },
  {
    id: "V104",
    name: "instruction-variable-ref",
    severity: "error",
    summary: "`{name}` in an instruction that is no declared variable",
    check: undeclaredInInstructions,
  },
];

/** A name of a variable where it is used. */
interface Use<Kind extends VariableUse["kind"] = VariableUse["kind"]> {
  readonly name: string;
  readonly place: Place;
  readonly use: Extract<VariableUse, { readonly kind: Kind }>;
}

function ofKind<Kind extends VariableUse["kind"]>(
  app: LintedApp,
  kind: Kind,
  message: (use: Use<Kind>) => string,
): Iterable<Report> {
  const uses = [
    ...usesInCode(app),
    ...usesInEvaluations(app),
    ...(kind === "undeclared" ? [] : usesInInstructions(app)),
  ];
  return uses.flatMap(({ name, place }) => {
    const use = lookUpVariable(name, app.variables);
    // `lookUpVariable` gave the kind.
    return use.kind === kind ? [{ place, message: message({ name, place, use } as unknown as Use<Kind>) }] : [];
  });
}

interface NamedPlace {
  readonly name: string;
  readonly place: Place;
}

/** Python files of tools and callbacks; others of the folder are not run. */
function codeFiles({ agents, tools }: LintedApp): readonly SourceText[] {
  const all = [
    ...agents.flatMap(({ callbacks }) => callbacks.map(({ code }) => code)),
    ...tools.map(({ code }) => code),
  ];
  return [...new Set(all.flatMap((code) => code ?? []))];
}

function usesInCode(app: LintedApp): readonly NamedPlace[] {
  return codeFiles(app).flatMap((source) =>
    (factsOf(app, source)?.state ?? []).map(({ key, line, column }) => ({
      name: key,
      place: { file: source.file, line, column },
    })),
  );
}

function usesInEvaluations({ evaluations }: LintedApp): readonly NamedPlace[] {
  return evaluations.flatMap((evaluation) => [...variablesOfTurns(evaluation), ...variablesOfScenario(evaluation)]);
}

function variablesOfTurns(evaluation: LintedResource): readonly NamedPlace[] {
  return listField(objectField(evaluation.manifest, "golden"), "turns").flatMap((turn, index) =>
    listField(isJsonObject(turn) ? turn : {}, "steps").flatMap((step, position) => {
      const variables = objectField(objectField(isJsonObject(step) ? step : {}, "userInput"), "variables");
      const path = ["golden", "turns", index, "steps", position, "userInput", "variables"];
      return Object.keys(variables).map((name) => ({ name, place: atField(evaluation, [...path, name], "").place }));
    }),
  );
}

function variablesOfScenario(evaluation: LintedResource): readonly NamedPlace[] {
  const overrides = objectField(objectField(evaluation.manifest, "scenario"), "variableOverrides");
  const path = ["scenario", "variableOverrides"];
  return Object.keys(overrides).map((name) => ({ name, place: atField(evaluation, [...path, name], "").place }));
}

/** `{name}`, `{{name}}` and dotted paths; not `{@TOOL: …}`, `{% if … %}` and JSON. */
const REFERENCE = /(?<![{$])\{\{?\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}?/g;

function usesInInstructions({ agents, globalInstruction }: LintedApp): readonly NamedPlace[] {
  const sources = [...agents.map(({ instruction }) => instruction), globalInstruction];
  return sources.flatMap((source) =>
    source
      ? [...source.text.matchAll(REFERENCE)].map(({ index, 1: name = "" }) => ({ name, place: source.placeAt(index) }))
      : [],
  );
}

function* undeclaredInInstructions(app: LintedApp): Iterable<Report> {
  for (const { name, place } of usesInInstructions(app))
    if (lookUpVariable(name, app.variables).kind === "undeclared")
      yield { place, message: `'{${name}}' is no variable that the app declares, so the model reads it as it is` };
}

function* wrongTypes(app: LintedApp): Iterable<Report> {
  for (const source of codeFiles(app)) {
    for (const { key, mode, type: written, line, column } of factsOf(app, source)?.state ?? []) {
      const use = lookUpVariable(key, app.variables);
      const declared = use.kind === "declared" ? (use.variable?.type ?? "") : "";
      if (mode !== "write" || written === "" || declared === "" || fits(written, declared)) continue;
      yield {
        place: { file: source.file, line, column },
        message: `'${key}' is declared as ${declared}, and this is ${written}`,
      };
    }
  }
}

function fits(written: string, declared: string): boolean {
  return written === declared || (written === "INTEGER" && declared === "NUMBER") || declared === "TYPE_UNSPECIFIED";
}
