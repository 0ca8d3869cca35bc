import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** What is wrong with a configuration file, each with the key that it is about: `port: Invalid input: expected number, received string`. */
export function configFaults({ issues }: Pick<z.core.$ZodError, "issues">): readonly string[] {
  return issues.flatMap((issue) => faultsOf(issue, issue.path));
}

function faultsOf(issue: Issue, path: readonly PropertyKey[]): readonly string[] {
  const closest = issue.code === "invalid_union" ? closestForm(issue) : undefined;
  if (closest) return closest.flatMap((one) => faultsOf(one, [...path, ...one.path]));
  const text = issue.code === "invalid_union" ? wantedForms(issue) : wantedKey(issue);
  return [`${path.map(String).join(".") || "(top)"}: ${text ?? issue.message}`];
}

type UnionIssue = Extract<Issue, { code: "invalid_union" }>;

/** Forms of the same kind as the value: a text is none of an object. */
function formsOfItsKind({ errors }: UnionIssue): readonly (readonly Issue[])[] {
  return errors.filter((form) => !form.some(({ code, path }) => code === "invalid_type" && path.length === 0));
}

/** The form that was probably meant, since less is wrong with it than with any other; undefined where two are as near. */
function closestForm(issue: UnionIssue): readonly Issue[] | undefined {
  const [first, second] = formsOfItsKind(issue).toSorted((one, other) => one.length - other.length);
  return first && (!second || second.length > first.length) ? first : undefined;
}

/** The key that makes each form what it is, which the value has none of. */
function wantedForms(issue: UnionIssue): string | undefined {
  const keys = formsOfItsKind(issue).map((form) => form.find(({ path }) => path.length === 1)?.path[0]);
  if (keys.length === 0 || keys.includes(undefined)) return undefined;
  return `must have one of the keys ${keys.map(String).join(", ")}`;
}

/** What a key of a table must be. */
function wantedKey(issue: Issue): string | undefined {
  return issue.code === "invalid_key"
    ? `the key ${issue.issues.map(({ message }) => message).join(", and ")}`
    : undefined;
}
