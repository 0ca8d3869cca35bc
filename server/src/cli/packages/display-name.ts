import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { PackageFiles } from "#app";
import { isJsonObject } from "#base";
import { ConnectError } from "#status";
import type { CommandInput } from "../command.ts";
import { clientFor } from "../server/server-client.ts";

/** The display name of the app of an export with JSON manifests; undefined without an app. */
export function displayNameIn(files: PackageFiles): string | undefined {
  const bytes = files.get("app.json");
  const app: unknown = bytes && JSON.parse(Buffer.from(bytes).toString("utf8"));
  return isJsonObject(app) && typeof app.displayName === "string" ? app.displayName : undefined;
}

/** Gives an app its display name, which an import does not change (PKG-26). */
export async function rename(name: string, displayName: string, input: CommandInput): Promise<void> {
  await clientFor(AgentService, input).updateApp({
    app: { name, displayName },
    updateMask: { paths: ["display_name"] },
  });
}

/**
 * Gives a new app the display name of its package, where the import made another one of it because an app has that name already. Returns the warnings of the
 * import as they are now true. A server that refuses leaves the app and its warning as they are.
 */
export async function renameNew(
  name: string,
  wanted: string,
  warnings: readonly string[],
  input: CommandInput,
): Promise<readonly string[]> {
  const { displayName } = await clientFor(AgentService, input).getApp({ name });
  if (displayName === wanted) return warnings;
  try {
    await rename(name, wanted, input);
  } catch (error) {
    if (error instanceof ConnectError) return warnings;
    throw error;
  }
  const others = warnings.filter((warning) => !warning.includes(`'${displayName}'`));
  return [`app.json: displayName: another app has the display name '${wanted}', too.`, ...others];
}
