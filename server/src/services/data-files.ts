import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import type {
  DeleteDataFileRequest,
  GetDataFileRequest,
  ListDataFilesRequest,
  UpdateDataFileRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import type { DataFile } from "@frontdesk/protos/gda/data_file";
import type { Access } from "#access";
import { contextsOfAgent, type DataContext, type DataFiles } from "#analytics";
import type { CallContext } from "#rpc";
import { Code, ConnectError } from "#status";

interface DataFileDeps {
  readonly files: DataFiles;
  readonly access: Access;
}

const PERMISSION = "geminidataanalytics.dataFiles";

/** Files that people upload: theirs, and those that a role gives them (CA-45). */
export async function getDataFile(
  { name }: GetDataFileRequest,
  context: CallContext,
  deps: DataFileDeps,
): Promise<DataFile> {
  const file = await ownFile(name, "name", "get", context, deps);
  const shown = deps.access.shown(context, "geminidataanalytics.dataAgents.get", locationOf(name));
  const decisions = await Promise.all(file.dataAgents.map((agent) => shown?.(agent) ?? true));
  file.dataAgents = file.dataAgents.filter((_, at) => decisions[at]);
  return file;
}

export async function listDataFiles(
  request: ListDataFilesRequest,
  context: CallContext,
  { files, access }: DataFileDeps,
) {
  const shown = access.shown(context, `${PERMISSION}.list`, request.parent);
  const { principal } = context.caller;
  const page = await files.list(
    request,
    shown && ((name, uploader) => (principal !== "" && uploader === principal) || shown(name)),
  );
  return { dataFiles: [...page.files], nextPageToken: page.nextPageToken };
}

export async function updateDataFile(
  request: UpdateDataFileRequest,
  context: CallContext,
  deps: DataFileDeps,
): Promise<DataFile> {
  await ownFile(request.dataFile?.name ?? "", "data_file.name", "update", context, deps);
  return deps.files.update(request, context.signal);
}

export async function deleteDataFile({ name, force }: DeleteDataFileRequest, context: CallContext, deps: DataFileDeps) {
  await ownFile(name, "name", "delete", context, deps);
  await deps.files.remove(name, force);
  return {};
}

/** Refuses contexts that name files which the caller may not read, in the same words whether they exist or not. */
export async function requireReadable(
  contexts: readonly DataContext[],
  location: string,
  call: CallContext,
  deps: DataFileDeps,
): Promise<void> {
  const names = new Set(contexts.flatMap((context) => deps.files.named(context, location)));
  for (const name of names) await requireOwn(name, "get", call, deps);
}

/** The same for the contexts of an agent that is created or changed. */
export function requireReadableAgent(
  agent: DataAgent | undefined,
  location: string,
  call: CallContext,
  deps: DataFileDeps,
): Promise<void> {
  return requireReadable(agent ? contextsOfAgent(agent) : [], location, call, deps);
}

async function ownFile(
  name: string,
  field: string,
  verb: string,
  context: CallContext,
  deps: DataFileDeps,
): Promise<DataFile> {
  const found = await requireOwn(name, verb, context, deps, field);
  return found ?? deps.files.get(name, field);
}

/** Whoever uploaded a file may do everything with it; others need the permission. */
async function requireOwn(
  name: string,
  verb: string,
  context: CallContext,
  { files, access }: DataFileDeps,
  field = "context.datasource_references",
): Promise<DataFile | undefined> {
  const found = await files.get(name, field).catch((error: unknown) => {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  });
  const { principal } = context.caller;
  if (principal === "" || found?.uploader !== principal) await access.require(context, `${PERMISSION}.${verb}`, name);
  return found;
}

function locationOf(name: string): string {
  return name.split("/").slice(0, 4).join("/");
}
