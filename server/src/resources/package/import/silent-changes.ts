import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { NamedResource } from "./assign-names.ts";

/** What the hosted product would change without a word and this server keeps: told, so that a later move there is no surprise. */
export function silentChanges(resources: readonly NamedResource[]): readonly string[] {
  return resources.flatMap(({ message, path }) => {
    if (message.$typeName !== "google.cloud.ces.v1beta.Tool") return [];
    if (message.toolType.case !== "remoteAgentTool" || message.executionType !== ExecutionType.ASYNCHRONOUS) return [];
    return [
      `${path}: executionType: the hosted product drops ASYNCHRONOUS of a remote agent tool on import; it was kept here.`,
    ];
  });
}
