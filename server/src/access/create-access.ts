import type { Clock } from "#base";
import type { CallContext, RegisteredMethod } from "#rpc";
import type { ResourceStore } from "#storage";
import { createAuthorize } from "./authorize.ts";
import { createCountedResource, createResourceOf } from "./call-resource.ts";
import type { Access, AccessMode, Asker } from "./contract.ts";
import { createDecisions, type Decisions } from "./decisions.ts";
import { createMethodRules } from "./methods/method-rules.ts";
import { createRequestReferences } from "./methods/request-references.ts";
import type { PolicyBook } from "./policies/policy-book.ts";
import { refusal } from "./refusals.ts";

interface AccessDeps {
  readonly mode: AccessMode;
  readonly book: PolicyBook;
  readonly store: Pick<ResourceStore, "get">;
  readonly clock: Clock;
  /** What a long-running operation is about: a resource, or its location when it is unknown. */
  readonly operationSubject: (operation: string) => Promise<string>;
  /** Calls that another part of the server decides. */
  readonly isExempt: (method: RegisteredMethod, context: CallContext) => boolean;
}

/** Permissions that mode `data` asks for: those for data, and those for policies, which give them. */
const ABOUT_DATA = /^(?:geminidataanalytics|cloudaicompanion|resourcemanager)\.|IamPolicy$/;

/** Creates what decides who may do what. In mode `open` everybody may do everything, and nothing is looked up. */
export function createAccess({ mode, operationSubject, isExempt, ...deps }: AccessDeps): Access {
  const decisions = mode === "data" ? onlyAboutData(createDecisions(deps)) : createDecisions(deps);
  const ruleOf = createMethodRules();
  const resourceOf = createResourceOf(ruleOf);
  const { may, mayBelow, shown } = decisions;
  const refuse = ({ caller }: Asker, permission: string, resource: string) =>
    refusal(mode, caller, permission, resource);
  const authorize = createAuthorize({
    ...decisions,
    mode,
    ruleOf,
    referencesOf: createRequestReferences(),
    operationSubject,
    isExempt,
    refusal: refuse,
  });
  if (mode === "open") {
    return {
      mode,
      ruleOf,
      resourceOf,
      countedResource: async ({ internalMethod }, request) => resourceOf(internalMethod, request),
      authorize,
      may: () => true,
      require: async () => {},
      mayCall: () => true,
      shown: () => undefined,
      shownBy: () => undefined,
    };
  }
  return {
    mode,
    ruleOf,
    resourceOf,
    countedResource: createCountedResource({ ruleOf, resourceOf, isExempt, may }),
    authorize,
    may,
    shown,
    shownBy: (asker, method, request) => {
      const rule = ruleOf(method);
      const [ask] = rule?.kind === "list" ? rule.asksOf(request) : [];
      return ask && shown(asker, ask.permission, ask.resource);
    },
    require: async (asker, permission, resource) => {
      if (!(await may(asker, permission, resource))) throw refuse(asker, permission, resource);
    },
    mayCall: (asker, method) => {
      const rule = ruleOf(method.internalMethod);
      if (asker.caller.kind === "operator" || rule?.kind === "anybody") return true;
      if (rule?.kind === "known") return mode !== "all" || asker.caller.kind !== "anonymous";
      return rule?.permissions.some((permission) => mayBelow(asker, permission, "")) ?? mode !== "all";
    },
  };
}

/** Everybody has the permissions that have nothing to do with data. */
function onlyAboutData({ may, mayBelow, shown }: Decisions): Decisions {
  return {
    may: (asker, permission, resource) => !ABOUT_DATA.test(permission) || may(asker, permission, resource),
    mayBelow: (asker, permission, resource) => !ABOUT_DATA.test(permission) || mayBelow(asker, permission, resource),
    shown: (asker, permission, parent) => (ABOUT_DATA.test(permission) ? shown(asker, permission, parent) : undefined),
  };
}
