import { create } from "@bufbuild/protobuf";
import type { App } from "@frontdesk/protos/ces/app";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import type { OmittedResource, ParsedPackage, ParsedResource } from "./parsed-package.ts";

/** Display names of the guardrails that the app or an agent of a package lists. */
export function listedGuardrails(app: App, resources: readonly ParsedResource[]): ReadonlySet<string> {
  const lists = resources.flatMap(({ message }) =>
    message.$typeName === "google.cloud.ces.v1beta.Agent" ? [message.guardrails] : [],
  );
  return new Set([app.guardrails, ...lists].flat());
}

/**
 * A package with a placeholder for each guardrail that cannot be read and that the app or an agent lists (PKG-34). Left out, what it should stop
 * would pass without a check; its placeholder has no type, and lets nothing pass (GUARD-29).
 */
export function withPlaceholders(parsed: ParsedPackage): ParsedPackage {
  const replaced = parsed.omitted.filter((omitted) => needsPlaceholder(omitted, parsed.listedGuardrails));
  return {
    ...parsed,
    resources: [...parsed.resources, ...replaced.map(readPlaceholder)],
    omitted: parsed.omitted.filter((omitted) => !replaced.includes(omitted)),
  };
}

function readPlaceholder({ kind, displayNames, reasons }: OmittedResource): ParsedResource {
  const path = reasons[0]?.field ?? "";
  return placeholder({ kind, displayNames, path, id: "", message: create(GuardrailSchema) });
}

/** The placeholder of a guardrail that the rest of the package or the app's rules refuse; undefined where none is needed. */
export function placeholderFor<Resource extends ParsedResource>(
  resource: Resource,
  listed: ReadonlySet<string>,
): Resource | undefined {
  const { message, isStandIn } = resource;
  const isOff = "enabled" in message && !message.enabled;
  return !isStandIn && needsPlaceholder({ ...resource, isOff }, listed) ? placeholder(resource) : undefined;
}

function needsPlaceholder(
  { kind, displayNames: [name], isOff }: Pick<OmittedResource, "kind" | "displayNames" | "isOff">,
  listed: ReadonlySet<string>,
): boolean {
  return kind.part === "guardrails" && !isOff && listed.has(name);
}

function placeholder<Resource extends ParsedResource>(resource: Resource): Resource {
  const message = create(GuardrailSchema, { displayName: resource.displayNames[0], enabled: true });
  return { ...resource, message, isStandIn: true };
}
