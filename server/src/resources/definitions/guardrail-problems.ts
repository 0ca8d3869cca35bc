import type { Guardrail, Guardrail_ContentFilter } from "@frontdesk/protos/ces/guardrail";
import { unknownTypeOf } from "#aip";
import { CALLBACKS } from "../python/callback-signatures.ts";
import type { PythonChecks } from "../python/python-checks.ts";

/** What prevents a guardrail from judging or acting, or makes it do something else than its settings say, one sentence each. */
export async function guardrailProblems(guardrail: Guardrail, python: PythonChecks): Promise<readonly string[]> {
  const { displayName, guardrailType, action } = guardrail;
  const subject = `Guardrail '${displayName}'`;
  const problems: string[] = [];
  if (guardrailType.case === undefined) {
    const unknown = unknownTypeOf(guardrail, "Guardrail");
    const type = unknown === undefined ? "has no type" : `is of the type '${unknown}', which is not known here`;
    const effect = guardrail.enabled ? "so turns of agents that list it fail" : "so it cannot be enabled";
    problems.push(`${subject} ${type}, ${effect}; set its type, e.g. content_filter.`);
  }
  if (!action?.action.case)
    problems.push(`${subject} has no action, so nothing can be done when it triggers; set 'action'.`);
  if (action?.action.case === "respondImmediately" && action.action.value.responses.every(({ disabled }) => disabled))
    problems.push(`${subject} has no enabled response to give, so turns fail when it triggers; enable one.`);
  if (guardrailType.case === "supervisor")
    problems.push(
      `${subject}, supervisor: the rules of this kind are not published, so it judges nothing here; add a guardrail of the type llm_policy that says what to stop.`,
    );
  if (guardrailType.case === "contentFilter")
    problems.push(
      ...(await filterProblems(guardrailType.value, python)).map((problem) => `${subject}, content_filter${problem}`),
    );
  if (guardrailType.case !== "codeCallback") return problems;
  const { beforeAgentCallback, afterAgentCallback, beforeModelCallback, afterModelCallback } = guardrailType.value;
  const callbacks = [
    { callback: beforeAgentCallback, signature: CALLBACKS.before_agent_callbacks },
    { callback: afterAgentCallback, signature: CALLBACKS.after_agent_callbacks },
    { callback: beforeModelCallback, signature: CALLBACKS.before_model_callbacks },
    { callback: afterModelCallback, signature: CALLBACKS.after_model_callbacks },
  ];
  for (const { callback, signature } of callbacks) {
    if (callback?.callback.case !== "pythonCode") continue;
    const found = await python.entryPoint(callback.callback.value, signature);
    problems.push(...found.map((problem) => `${subject}, ${signature.name}: ${problem}.`));
  }
  if (callbacks.every(({ callback }) => callback?.callback.case !== "pythonCode"))
    problems.push(`${subject}, code_callback: has no code, so it judges nothing; write a callback.`);
  return problems;
}

async function filterProblems(filter: Guardrail_ContentFilter, { server }: PythonChecks): Promise<readonly string[]> {
  const { bannedContents, bannedContentsInUserInput, bannedContentsInAgentResponse, sensitiveWordsExemptions } = filter;
  const banned = [bannedContents, bannedContentsInUserInput, bannedContentsInAgentResponse].flat();
  return [
    ...(await server.filterProblems(filter)).map((problem) => `: ${problem}; so nothing passes this guardrail.`),
    ...(banned.every((phrase) => phrase.trim() === "")
      ? [": bans nothing, so it judges nothing; write banned_contents."]
      : []),
    ...(sensitiveWordsExemptions.length > 0
      ? [".sensitive_words_exemptions: is not applied here, so those words are blocked, too."]
      : []),
  ];
}

/** One prompt security guardrail is what the product allows in an app (GUARD-11). */
export function promptSecurityProblems(guardrails: readonly Guardrail[]): readonly string[] {
  const found = guardrails.filter(({ guardrailType }) => guardrailType.case === "llmPromptSecurity");
  if (found.length < 2) return [];
  return [
    `Only one guardrail can be of the type llm_prompt_security; there are ${found.map(({ displayName }) => `'${displayName}'`).join(", ")}.`,
  ];
}
