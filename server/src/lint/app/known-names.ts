import type { LintedApp, LintedResource } from "./linted-app.ts";

/** What an import says of a reference that leads nowhere (PKG-10). */
const NOT_FOUND = /Reference '.*' of type 'ces\.googleapis\.com\/(\w+)' not found/;

/** Names that are told, at most. */
const MAX_NAMES = 20;

/** A sentence about a reference that leads nowhere, with what it could lead to; another sentence as it is. */
export function withKnownNames(sentence: string, app: LintedApp): string {
  const [, type = ""] = NOT_FOUND.exec(sentence) ?? [];
  const found = candidates(type, app);
  if (!found) return sentence;
  const [plural, resources] = found;
  const names = resources.map(({ displayName }) => `'${displayName}'`).sort();
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  const known = names.length === 0 ? "none" : `${names.slice(0, MAX_NAMES).join(", ")}${more}`;
  return `${sentence.replace(/\.$/, "")}; the app's ${plural}: ${known}. Correct the name, or add what it names`;
}

function candidates(type: string, app: LintedApp): [plural: string, resources: readonly LintedResource[]] | undefined {
  const { agents, tools, toolsets, guardrails, evaluations, expectations } = app;
  const byType: Readonly<Record<string, [string, readonly LintedResource[]]>> = {
    Agent: ["agents", agents],
    Tool: ["tools", tools],
    Toolset: ["toolsets", toolsets],
    Guardrail: ["guardrails", guardrails],
    Evaluation: ["evaluations", evaluations],
    EvaluationExpectation: ["expectations", expectations],
  };
  return byType[type];
}
