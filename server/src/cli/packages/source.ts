import { packageAt, packageOnServer, STREAM } from "../app-package.ts";
import { CommandError, type CommandInput } from "../command.ts";

/** A package to compare. */
export interface PackageSource {
  /** As it was named. */
  readonly label: string;
  /** The same, and where it is. */
  readonly place: string;
  readonly zip: Uint8Array;
  /** Whether a server wrote it, in the form of an export. */
  readonly isExport: boolean;
  /** Versions have no evaluations (PKG-23). */
  readonly isVersion: boolean;
}

/** `[context:]app[@version]`; resource names have slashes, contexts and versions have none. */
const ON_SERVER = /^(?:([\w.-]+):)?([^:@]+?)(?:@([^/@]+))?$/;

/** A folder or zip, else the draft or a version of an app on a server: `order-desk`, `order-desk@v1`, `office:order-desk@v1`. */
export async function packageSource(operand: string, input: CommandInput): Promise<PackageSource> {
  const local = await localPackage(operand);
  if (local) return { label: operand, place: local.place, zip: local.zip, isExport: false, isVersion: false };
  const [, context, app, version] = ON_SERVER.exec(operand) ?? [];
  if (!app || /^\.{0,2}\/|^[A-Za-z]:[\\/]/.test(operand))
    throw new CommandError(`${operand} does not exist. Name a folder, a zip, or an app as [context:]app[@version].`);
  const flags = context === undefined ? input.flags : { ...withoutServer(input.flags), context };
  const { zip } = await packageOnServer(app, version, { ...input, flags });
  return { label: operand, place: `${operand} (server)`, zip, isExport: true, isVersion: version !== undefined };
}

/** The package in a folder or a zip; undefined when there is neither. What is wrong with it is told with its name. */
async function localPackage(path: string): Promise<{ readonly place: string; readonly zip: Uint8Array } | undefined> {
  const kind = path === STREAM ? "standard input" : path.endsWith(".zip") ? "zip" : "folder";
  const place = `${path} (${kind})`;
  const found = await packageAt(path).catch((error: unknown) => {
    throw error instanceof CommandError ? new CommandError(`${place}: ${error.message}`) : error;
  });
  return found && { place, zip: found.zip };
}

/** Which server: the context says it. */
function withoutServer(flags: CommandInput["flags"]): CommandInput["flags"] {
  const {
    server: _server,
    endpoint: _endpoint,
    token: _token,
    project: _project,
    location: _location,
    ...others
  } = flags;
  return others;
}
