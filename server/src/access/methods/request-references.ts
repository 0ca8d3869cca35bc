import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { fieldValue, referenceOf } from "#aip";

/** A resource that a request names besides the one that the method is about. */
export interface RequestReference {
  /** E.g. `ces.googleapis.com/AppVersion`. */
  readonly type: string;
  readonly name: string;
}

/** Collects the references of a message into a list. */
type Collector = (message: Message, into: RequestReference[]) => void;

/**
 * Returns the resources that requests name, by the annotations of their fields (`google.api.resource_reference`), however deep. Types without
 * such fields cost nothing.
 */
export function createRequestReferences(): (type: DescMessage, request: Message) => readonly RequestReference[] {
  const collectors = new Map<DescMessage, Collector | null>();

  const collectorOf = (type: DescMessage): Collector | undefined => {
    let known = collectors.get(type);
    if (known === undefined) {
      known = namesResources(type, new Set()) ? compile(type) : null;
      collectors.set(type, known);
    }
    return known ?? undefined;
  };

  const compile = (type: DescMessage): Collector => {
    const steps = type.fields.flatMap((field) => stepOf(field) ?? []);
    return (message, into) => {
      for (const step of steps) step(message, into);
    };
  };

  const stepOf = (field: DescField): Collector | undefined => {
    const reference = referenceTo(field);
    if (reference !== undefined)
      return (message, into) => {
        for (const name of itemsOf(fieldValue(message, field)))
          if (typeof name === "string" && name !== "") into.push({ type: reference, name });
      };
    const { message: below } = field;
    if (!below || !namesResources(below, new Set())) return undefined;
    return (message, into) => {
      const collect = collectorOf(below);
      for (const item of itemsOf(fieldValue(message, field))) collect?.(item as Message, into);
    };
  };

  return (type, request) => {
    const collect = collectorOf(type);
    if (!collect) return NONE;
    const found: RequestReference[] = [];
    collect(request, found);
    return found;
  };
}

const NONE: readonly RequestReference[] = [];

/** Fields that name resources by their comments, without an annotation. */
const NOT_ANNOTATED: Readonly<Record<string, string>> = {
  "google.cloud.ces.v1beta.SessionConfig.deployment": "ces.googleapis.com/Deployment",
  "google.cloud.ces.v1beta.ImportEvaluationsRequest.ConversationList.conversations": "ces.googleapis.com/Conversation",
  "google.cloud.ces.v1beta.WidgetTool.DataMapping.source_tool_name": "ces.googleapis.com/Tool",
  "google.cloud.ces.v1beta.QualityReport.evaluation_runs": "ces.googleapis.com/EvaluationRun",
  "google.cloud.ces.v1beta.QualityReport.AgentIssues.agent": "ces.googleapis.com/Agent",
  "google.cloud.geminidataanalytics.v1beta.Conversation.agents": "geminidataanalytics.googleapis.com/DataAgent",
};

/** The type that a string field names; undefined for fields that name none, or the parent of one. */
function referenceTo(field: DescField): string | undefined {
  const type = referenceOf(field)?.type ?? NOT_ANNOTATED[`${field.parent.typeName}.${field.name}`];
  return type === undefined || type === "" || type === "*" ? undefined : type;
}

function namesResources(type: DescMessage, seen: Set<DescMessage>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return type.fields.some(
    (field) => referenceTo(field) !== undefined || (field.message !== undefined && namesResources(field.message, seen)),
  );
}

/** The values of a field: of a list, of a map, or the one value. */
function itemsOf(value: unknown): Iterable<unknown> {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (typeof value === "object" && value !== null && !("$typeName" in value)) return Object.values(value);
  return [value];
}
