import type { DescMessage, Message } from "@bufbuild/protobuf";
import { deferStream } from "#base";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { type ConnectError, invalidArgument } from "#status";
import { checkStream } from "./check-stream.ts";
import type { Access, AccessMode, Ask, Decision, MethodRule } from "./contract.ts";
import type { Decisions } from "./decisions.ts";
import { operationPermission, startPermission } from "./methods/policy-permissions.ts";
import type { RequestReference } from "./methods/request-references.ts";
import { referencePermission } from "./policies/resource-facts.ts";
import { beforeWildcard, isBelowPolicies, policyScopes } from "./policy-scopes.ts";

interface AuthorizeDeps extends Decisions {
  readonly mode: AccessMode;
  readonly ruleOf: Access["ruleOf"];
  /** The resources that a request names besides its own. */
  readonly referencesOf: (type: DescMessage, request: Message) => readonly RequestReference[];
  /** What a long-running operation is about: a resource, or its location when it is unknown. */
  readonly operationSubject: (operation: string) => Promise<string>;
  /** Calls that another part of the server decides. */
  readonly isExempt: (method: RegisteredMethod, context: CallContext) => boolean;
  readonly refusal: (context: CallContext, permission: string, resource: string) => ConnectError;
}

/**
 * Refuses calls of callers without the permission of their method (IAM-10): nothing of the request is looked up before. Streams are refused before
 * their first message when the caller may call the method nowhere, and each message that names a resource is checked.
 */
export function createAuthorize(deps: AuthorizeDeps): Interceptor {
  if (deps.mode === "open") return (next) => next;
  const passes = (method: RegisteredMethod, context: CallContext) =>
    context.caller.kind === "operator" || deps.isExempt(method, context);

  return (next) => ({
    unary: async (method, request, context) => {
      if (!passes(method, context)) await check(method, request, context, deps);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      if (passes(method, context)) return next.stream(method, request, context);
      if (!(Symbol.asyncIterator in request)) {
        return deferStream(async () => {
          await check(method, request, context, deps);
          return next.stream(method, request, context);
        });
      }
      checkSomewhere(ruleFor(method, context, deps), context, deps);
      const checked = checkStream(request, (message) => check(method, message, context, deps, true));
      return next.stream(method, checked, context);
    },
  });
}

/** Throws or rejects unless the caller may make the call. `isStreamed`: messages that name no resource go on the conversation that is begun. */
async function check(
  method: RegisteredMethod,
  request: Message,
  context: CallContext,
  deps: AuthorizeDeps,
  isStreamed = false,
): Promise<void> {
  const rule = ruleFor(method, context, deps);
  const asks = rule.asksOf(request);
  if (isStreamed && asks.every(({ resource }) => resource === "")) return;
  if (asks.length === 0) return checkSomewhere(rule, context, deps);
  if (rule.kind === "list") await checkList(rule, asks, context, deps);
  else for (const ask of asks) await checkAsk(rule, ask, context, deps);
  await checkReferences(method.internalMethod.input, request, asks, context, deps);
}

/** A method without a rule is refused (IAM-6): somebody who adds one decides who may call it. */
function ruleFor(method: RegisteredMethod, context: CallContext, deps: AuthorizeDeps): MethodRule {
  const { ruleOf, mode, refusal } = deps;
  const rule = ruleOf(method.internalMethod) ?? (mode === "all" ? undefined : FOR_ANYBODY);
  if (rule) return rule;
  const { parent, name } = method.internalMethod;
  throw refusal(context, `${parent.typeName}.${name}`, "");
}

async function checkAsk(rule: MethodRule, ask: Ask, context: CallContext, deps: AuthorizeDeps): Promise<void> {
  const { permission, resource } = ask;
  checkNamed(rule, ask, context, deps);
  if (rule.kind === "operation") return checkOperation(ask, context, deps);
  if (!(await deps.may(context, permission, resource))) throw deps.refusal(context, permission, resource);
}

async function checkList(
  rule: MethodRule,
  asks: readonly Ask[],
  context: CallContext,
  deps: AuthorizeDeps,
): Promise<void> {
  const [first] = asks;
  if (!first) return;
  checkNamed(rule, first, context, deps);
  for (const ask of asks) if (await mayList(ask, context, deps)) return;
  throw deps.refusal(context, first.permission, first.resource);
}

/** A request that names nothing is invalid; callers who may call the method nowhere do not learn that. */
function checkNamed(rule: MethodRule, { resource, field }: Ask, context: CallContext, deps: AuthorizeDeps): void {
  if (resource !== "") return;
  checkSomewhere(rule, context, deps);
  throw invalidArgument({ field, description: "Required field is not set." });
}

/** Lists above the resources with policies show what the caller may see (IAM-13); below them, the parent decides. */
function mayList({ permission, resource }: Ask, context: CallContext, { may, mayBelow }: AuthorizeDeps): Decision {
  if (isBelowPolicies(resource)) return may(context, permission, resource);
  return mayBelow(context, permission, beforeWildcard(resource));
}

/**
 * Who may see what an operation is about may see the operation (IAM-14), and who may run evaluations may end their runs (IAM-21). The refusal does not
 * name what it is about.
 */
async function checkOperation({ permission, resource }: Ask, context: CallContext, deps: AuthorizeDeps): Promise<void> {
  const subject = await deps.operationSubject(resource);
  const verb = permission.slice("operations.".length);
  const needed = operationPermission(subject, verb);
  if (await deps.may(context, needed, subject)) return;
  const started = startPermission(subject, verb);
  if (started && (await deps.may(context, started, subject))) return;
  throw deps.refusal(context, needed, resource);
}

const FOR_ANYBODY: MethodRule = { kind: "anybody", permissions: [], asksOf: () => [] };

function checkSomewhere({ kind, permissions }: MethodRule, context: CallContext, deps: AuthorizeDeps): void {
  if (kind === "anybody") return;
  const mayCall =
    permissions.length === 0
      ? deps.mode !== "all" || context.caller.kind !== "anonymous"
      : permissions.some((permission) => deps.mayBelow(context, permission, ""));
  if (!mayCall) throw deps.refusal(context, permissions[0] ?? "", "");
}

/** What a request names in other apps or projects must be visible to the caller too (IAM-11): the handler reads it with the server's rights. */
async function checkReferences(
  type: DescMessage,
  request: Message,
  asks: readonly Ask[],
  context: CallContext,
  { referencesOf, may, refusal }: AuthorizeDeps,
): Promise<void> {
  const references = referencesOf(type, request);
  if (references.length === 0) return;
  const own = new Set(asks.map(({ resource }) => scopeOf(resource)));
  for (const { type: referred, name } of references) {
    const permission = referencePermission(referred);
    if (permission === undefined || !name.startsWith("projects/") || own.has(scopeOf(name))) continue;
    if (!(await may(context, permission, name))) throw refusal(context, permission, name);
  }
}

function scopeOf(name: string): string {
  const { project, resource } = policyScopes(name);
  return resource || project;
}
