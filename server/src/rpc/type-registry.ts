import { createRegistry, type DescFile, type Registry as TypeRegistry } from "@bufbuild/protobuf";
import { file_google_rpc_error_details } from "@frontdesk/protos/google/rpc/error_details";
import type { ServiceRegistration } from "./contract.ts";

/** Every message type that the services of all revisions can use, for the JSON of `Any`. */
export function createTypeRegistry(registrations: readonly ServiceRegistration[]): TypeRegistry {
  const files = new Set<DescFile>();
  const collect = (file: DescFile): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const dependency of file.dependencies) collect(dependency);
  };
  collect(file_google_rpc_error_details);
  for (const { service, otherRevisions = [] } of registrations)
    for (const revision of [service, ...otherRevisions]) collect(revision.file);
  return createRegistry(...files);
}
