import type { JsonObject } from "#base";
import { variableNamed, variableText } from "#outbound";

/** Headers of the protocol and of the connection, which a toolset must not replace (TSET-7). */
const RESERVED =
  /^(?:authorization|content-type|content-length|accept|host|connection|transfer-encoding|mcp-.*|last-event-id)$/i;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
// Latin-1 without control characters.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers of a toolset in one session, and a sentence for each missing one, which never quotes a value. */
export interface CustomHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

/** Resolves `McpToolset.custom_headers`: a header whose variable has no value is left out (TSET-7). */
export function customHeaders(configured: Readonly<Record<string, string>>, variables: JsonObject): CustomHeaders {
  const headers: Record<string, string> = {};
  const missing: string[] = [];
  for (const [name, reference] of Object.entries(configured)) {
    const variable = variableNamed(reference);
    const value = variable === undefined ? undefined : variableText(variable, variables);
    if (headerProblem(name, reference))
      missing.push(`Header '${name}' was not sent: ${headerProblem(name, reference)}.`);
    else if (value === undefined) missing.push(`Header '${name}' was not sent: variable '${variable}' has no value.`);
    else if (!VALUE.test(value))
      missing.push(`Header '${name}' was not sent: variable '${variable}' does not hold a valid header value.`);
    else headers[name] = value;
  }
  return { headers, missing };
}

/** Validation errors of headers that can never be sent, one sentence each without a full stop. */
export function headerProblems(configured: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(configured).flatMap(([name, reference]) => {
    const problem = headerProblem(name, reference);
    return problem ? [`custom_headers, '${name}': ${problem}`] : [];
  });
}

function headerProblem(name: string, reference: string): string | undefined {
  if (!NAME.test(name)) return "this is not a valid header name";
  if (RESERVED.test(name)) return "this header belongs to the protocol or to api_authentication";
  if (variableNamed(reference) === undefined) return "its value must have the form $context.variables.NAME";
  return undefined;
}
