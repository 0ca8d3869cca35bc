import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  ListOperationsRequestSchema,
  type Operation,
  Operations as OperationsDescriptor,
} from "@frontdesk/protos/google/longrunning/operations";
import { type Access, operationPermission } from "#access";
import { hasWildcard, matchName, parseNamePattern } from "#aip";
import type { Operations } from "#operations";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { invalidArgument } from "#status";

/** Longest wait of WaitOperation, milliseconds; a client's own timeout may be shorter. */
const MAX_WAIT_MS = 60_000;

/** Long-running operations: `google.longrunning.Operations`. */
export function createOperationsService(operations: Operations, access: Access): ServiceRegistration {
  return defineService(OperationsDescriptor, [], {
    getOperation: ({ name }) => operations.get(name),
    listOperations: async (request, context) => {
      checkLocation(request.name);
      const api = calledApi(context) ?? (await onlyApiIn(request.name, context, operations, access));
      const page = await operations.list(
        request,
        (operation, subject) =>
          apiOf(operation) === api && access.may(context, operationPermission(subject, "list"), subject),
      );
      return { ...page, operations: [...page.operations] };
    },
    deleteOperation: async ({ name }) => {
      await operations.remove(name);
      return {};
    },
    cancelOperation: async ({ name }) => {
      await operations.cancel(name);
      return {};
    },
    waitOperation: ({ name, timeout }) =>
      operations.wait(name, Math.min(timeout ? durationMs(timeout) : MAX_WAIT_MS, MAX_WAIT_MS)),
  });
}

const LOCATION = parseNamePattern("projects/{project}/locations/{location}");

/** Operations are listed of one location: a wildcard, or another name, is INVALID_ARGUMENT (WIRE-14). */
function checkLocation(name: string): void {
  if (matchName(LOCATION, name) && !hasWildcard(name)) return;
  const description =
    name === ""
      ? "Required field is not set."
      : `'${name}' is not a name of the form ${LOCATION.text}, without wildcards.`;
  throw invalidArgument({ field: "name", description });
}

/** The APIs that share this server's operations. Generated clients of one cannot decode the metadata of the other's. */
type Api = "ces" | "geminidataanalytics";

/**
 * The API that a caller of the mixin means, whose methods do not name it (WIRE-14): by the first label of the host name, which is the
 * hosted one's or an alias of this server (`geminidataanalytics.localhost`), or by the revision that only one API has.
 */
function calledApi({ headers, revision }: CallContext): Api | undefined {
  const host = headers.get(":authority") ?? headers.get("host") ?? "";
  if (host.startsWith("geminidataanalytics.")) return "geminidataanalytics";
  if (host.startsWith("ces.")) return "ces";
  return revision === "v1alpha" ? "geminidataanalytics" : undefined;
}

/** Where nothing names the API: the one that has operations in the location that the caller may see; with both, that of apps. */
async function onlyApiIn(location: string, context: CallContext, operations: Operations, access: Access): Promise<Api> {
  const first = create(ListOperationsRequestSchema, { name: location, pageSize: 1 });
  const ofApps = await operations.list(
    first,
    (operation, subject) =>
      apiOf(operation) === "ces" && access.may(context, operationPermission(subject, "list"), subject),
  );
  return ofApps.operations.length > 0 ? "ces" : "geminidataanalytics";
}

/** By the type of the metadata, which every operation on a data agent has. */
function apiOf({ metadata }: Operation): Api {
  return metadata?.typeUrl.includes("/google.cloud.geminidataanalytics.") ? "geminidataanalytics" : "ces";
}
