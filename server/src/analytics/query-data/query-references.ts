import type { QueryDataContext } from "@frontdesk/protos/gda/data_chat_service";
import { invalidArgument, notFound } from "#status";

/** Throws NOT_FOUND for references to a context set: ignoring it would show too many rows. */
export function rejectContextSets(context: QueryDataContext | undefined): void {
  const contextSet = contextSetOf(context?.datasourceReferences?.references);
  if (contextSet) throw notFound(contextSet, "geminidataanalytics.googleapis.com/ContextSet");
}

type References = NonNullable<QueryDataContext["datasourceReferences"]>["references"];

function contextSetOf(references: References | undefined): string {
  switch (references?.case) {
    case "alloydb":
    case "spannerReference":
    case "cloudSqlReference":
      return references.value.agentContextReference?.contextSetId ?? "";
    default:
      return "";
  }
}

/** What parameterized secure views read of the caller, by name. Throws INVALID_ARGUMENT for a name that is given twice. */
export function viewParameters(context: QueryDataContext | undefined): Readonly<Record<string, string>> {
  const parameters = context?.parameterizedSecureViewParameters?.parameters ?? [];
  const keys = parameters.map(({ key }) => key);
  const repeated = keys.find((key, at) => keys.indexOf(key) !== at);
  if (repeated !== undefined) {
    const field = "context.parameterized_secure_view_parameters.parameters";
    throw invalidArgument({ field, description: `The parameter '${repeated}' is given twice.` });
  }
  return Object.fromEntries(parameters.map(({ key, value }) => [key, value]));
}
