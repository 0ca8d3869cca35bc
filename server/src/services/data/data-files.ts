import type {
  DeleteDataFileRequest,
  GetDataFileRequest,
  ListDataFilesRequest,
  UpdateDataFileRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import type { DataFile } from "@frontdesk/protos/gda/data_file";
import type { Access } from "#access";
import { locationOf } from "#aip";
import type { DataFiles } from "#analytics";
import type { CallContext } from "#rpc";
import { ownedItem, shownAgent, shownAgents, shownOwned } from "./own-data.ts";

interface DataFileDeps {
  readonly files: DataFiles;
  readonly access: Access;
}

/** Files that people upload: theirs, and those that a role gives them (CA-45). */
export async function getDataFile(
  { name }: GetDataFileRequest,
  context: CallContext,
  deps: DataFileDeps,
): Promise<DataFile> {
  const file = await ownFile(name, "name", "get", context, deps);
  file.dataAgents = await shownAgents(file.dataAgents, locationOf(name), context, deps.access);
  return file;
}

/** The files of a location that the caller may see. */
export async function listDataFiles(
  request: ListDataFilesRequest,
  context: CallContext,
  { files, access }: DataFileDeps,
) {
  const page = await files.list(request, shownOwned(`${files.kind.permission}.list`, request.parent, context, access));
  return { dataFiles: [...page.files], nextPageToken: page.nextPageToken };
}

/** Changes a file of the caller's own, or one that the caller may change. */
export async function updateDataFile(
  request: UpdateDataFileRequest,
  context: CallContext,
  deps: DataFileDeps,
): Promise<DataFile> {
  await ownFile(request.dataFile?.name ?? "", "data_file.name", "update", context, deps);
  return deps.files.update(request, context.signal);
}

/** Deletes a file. Unless forced, an agent that uses it keeps it; agents that the caller may not see are counted only. */
export async function deleteDataFile({ name, force }: DeleteDataFileRequest, context: CallContext, deps: DataFileDeps) {
  await ownFile(name, "name", "delete", context, deps);
  await deps.files.remove(name, force, shownAgent(locationOf(name), context, deps.access));
  return {};
}

function ownFile(
  name: string,
  field: string,
  verb: string,
  context: CallContext,
  { files, access }: DataFileDeps,
): Promise<DataFile> {
  const permission = `${files.kind.permission}.${verb}`;
  const item = { permission, find: () => files.get(name, field), ownerOf: ({ uploader }: DataFile) => uploader };
  return ownedItem(name, item, context, access);
}
