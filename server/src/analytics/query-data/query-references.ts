import type { QueryDataContext } from "@frontdesk/protos/gda/data_chat_service";
import { type ConnectError, failedPrecondition, invalidArgument, notFound } from "#status";

/**
 * Why a question cannot be asked of what it refers to; undefined when it can. Parameters of secure views and context sets
 * narrow what may be read or said: where they cannot be obeyed, leaving them out would answer too much.
 */
export function referenceFault(context: QueryDataContext | undefined): ConnectError | undefined {
  const references = context?.datasourceReferences?.references;
  const contextSet = contextSetOf(references);
  if (contextSet) return notFound(contextSet, "geminidataanalytics.googleapis.com/ContextSet");
  const parameters = context?.parameterizedSecureViewParameters?.parameters ?? [];
  if (parameters.length > 0) return parameterFault(parameters);
  return undefined;
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

function parameterFault(parameters: readonly { readonly key: string }[]): ConnectError {
  const keys = parameters.map(({ key }) => key);
  const repeated = keys.find((key, at) => keys.indexOf(key) !== at);
  if (repeated !== undefined) {
    const field = "context.parameterized_secure_view_parameters.parameters";
    return invalidArgument({ field, description: `The parameter '${repeated}' is given twice.` });
  }
  return failedPrecondition(
    `The database takes no parameters of secure views (${keys.join(", ")}), so the rows they would keep back would be shown. Leave them out, or map a database that has such views.`,
    { reason: "SECURE_VIEWS_NOT_SUPPORTED", metadata: { parameters: keys.join(",") } },
  );
}
