import type { DescMethod } from "@bufbuild/protobuf";
import type { HttpRule } from "@frontdesk/protos/google/api/http";
import { httpRuleOf } from "#aip";
import { INTERNAL_REVISION, type RegisteredMethod, type Registry, type Revision, revisionOf } from "#rpc";
import { documentedAlias } from "./documented-aliases.ts";
import { MIXIN_RULES, type MixinRule } from "./mixin-rules.ts";

/** A REST route of a method. */
export interface RestRoute {
  readonly method: RegisteredMethod;
  readonly revision: Revision;
  /** `*`: the body is the request; a field name: the body is that field; "": there is no body. */
  readonly body: string;
  /** Field of the response that is the body; "": the whole response. */
  readonly responseBody: string;
}

/** A route with its HTTP method and path template. */
export interface RestRule {
  readonly httpMethod: string;
  readonly template: string;
  readonly route: RestRoute;
}

/** All routes of all methods: `google.api.http` rules with their additional bindings, documented aliases, and the rules of the mixins. */
export function restRules({ methods }: Pick<Registry, "methods">): readonly RestRule[] {
  const revisions = [...new Set(methods.flatMap(({ method }) => revisionOf(method.parent) ?? []))];
  return methods.flatMap((method) => {
    const mixin = MIXIN_RULES[`${method.method.parent.typeName}.${method.method.name}`];
    if (!mixin) return annotatedRules(method);
    return (revisions.length > 0 ? revisions : [INTERNAL_REVISION]).flatMap((revision) =>
      mixinRules(method, mixin, revision),
    );
  });
}

function annotatedRules(method: RegisteredMethod): readonly RestRule[] {
  const rules = httpRulesOf(method.method).flatMap((rule) => toRestRule(method, rule));
  const alias = documentedAlias(method);
  if (!alias) return rules;
  const { httpMethod, path } = alias;
  return [
    ...rules,
    ...rules.slice(0, 1).map(({ route }) => ({ httpMethod, template: `/${route.revision}${path}`, route })),
  ];
}

/** The rule of a method and its additional bindings, which do not nest (google/api/http.proto). */
function httpRulesOf(method: DescMethod): readonly HttpRule[] {
  const rule = httpRuleOf(method);
  return rule ? [rule, ...rule.additionalBindings] : [];
}

function toRestRule(method: RegisteredMethod, { pattern, body, responseBody }: HttpRule): readonly RestRule[] {
  const ruleOf = (httpMethod: string, template: string): RestRule => ({
    httpMethod,
    template,
    route: { method, revision: revisionIn(template) ?? method.revision, body, responseBody },
  });
  switch (pattern.case) {
    case undefined:
      return [];
    case "custom":
      return [ruleOf(pattern.value.kind, pattern.value.path)];
    default:
      return [ruleOf(pattern.case.toUpperCase(), pattern.value)];
  }
}

/** The revision that a path begins with: a service that all revisions share has a rule for each. */
function revisionIn(template: string): Revision | undefined {
  return /^\/(v1|v1beta|v1alpha)\//.exec(template)?.[1] as Revision | undefined;
}

function mixinRules(method: RegisteredMethod, rules: readonly MixinRule[], revision: Revision): readonly RestRule[] {
  return rules.map(({ httpMethod, path, body }) => ({
    httpMethod,
    template: `/${revision}${path}`,
    route: { method, revision, body, responseBody: "" },
  }));
}
