import { createHash } from "node:crypto";
import { clone, create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type {
  CreateDataFileRequest,
  ListDataFilesRequest,
  UpdateDataFileRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import { ListDataFilesRequestSchema } from "@frontdesk/protos/gda/data_agent_service";
import { type DataFile, DataFileSchema, type DataFile_Table as Table } from "@frontdesk/protos/gda/data_file";
import { requestChecksum } from "#aip";
import { type Clock, type Ids, type Logger, oneAtATime } from "#base";
import { ConnectError, failedPrecondition, invalidArgument, notFound, reasonOf } from "#status";
import type { BlobStore, ResourceStore } from "#storage";
import type { Conversion, TableConversions, Uploads, Warehouse } from "#warehouse";
import { profileRowOf } from "../profiles/profiles.ts";
import type { OwnDataKind } from "../sources/own-data.ts";
import { type AgentShown, onRemovedElsewhere, partsOf, readersOf, requireUnread } from "../sources/own-dataset.ts";
import { allRows, putRow, type ShownTo, shownPage } from "../sources/owned-rows.ts";
import { changedTables } from "./change-columns.ts";
import { conversionOf } from "./column-kinds.ts";
import { checkFileName, DATA_FILE_TYPE, fileOfTable, newFileName } from "./data-file-name.ts";
import { recognizeFile, refuseObjectAround } from "./file-format.ts";
import { checkRoom, FILE_LIMITS, type FileLimits } from "./file-limits.ts";
import { type FileRow, fromFileRow, toFileRow } from "./file-rows.ts";
import { readTables } from "./read-tables.ts";

/** Files with tables that people uploaded. */
export interface DataFiles {
  /** Reads the tables of a file and keeps it. INVALID_ARGUMENT and RESOURCE_EXHAUSTED keep nothing. */
  create(request: CreateDataFileRequest, uploader: string, signal: AbortSignal): Promise<DataFile>;
  /** With the agents that read it. NOT_FOUND otherwise. */
  get(name: string, field?: string): Promise<DataFile>;
  list(request: ListDataFilesRequest, isShown: ShownTo | undefined): Promise<DataFilePage>;
  /** Changes the name, and what kind of values columns have. INVALID_ARGUMENT where values are not of that kind. */
  update(request: UpdateDataFileRequest, signal: AbortSignal): Promise<DataFile>;
  /** Removes the file and all that was read of it. FAILED_PRECONDITION where agents read it and `force` is not set; it names those that are shown. */
  remove(name: string, force: boolean, isShown: AgentShown): Promise<void>;
  /** The files as data that contexts name. */
  readonly kind: OwnDataKind;
}

interface DataFilePage {
  readonly files: readonly DataFile[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

interface DataFilesDeps {
  readonly store: ResourceStore;
  readonly blobs: BlobStore;
  readonly warehouse: Warehouse;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Default those of CA-46. */
  readonly limits?: FileLimits;
}

/** Creates the files over the store: the row is what counts, the copy in the warehouse is made of it. */
export function createDataFiles(deps: DataFilesDeps): DataFiles {
  const { store, ids } = deps;
  const copies = createCopies(deps);
  // Each holds a whole file.
  const inTurn = oneAtATime();
  onRemovedElsewhere(deps, "dataFiles", (dataset) => deps.warehouse.uploads?.remove(dataset));
  return {
    create: (request, uploader, signal) => inTurn(() => createFile(deps, request, uploader, signal)),
    async get(name, field = "name") {
      const { file } = await readRow(store, name, field);
      return create(DataFileSchema, { ...file, dataAgents: await readersOf(store, name) });
    },
    list: (request, isShown) => listFiles(store, request, isShown),
    async update(request, signal) {
      const { dataFile, updateMask } = request;
      if (!dataFile) throw invalidArgument({ field: "data_file", description: "Required field is not set." });
      const row = await readRow(store, dataFile.name, "data_file.name");
      const after = clone(DataFileSchema, row.file);
      const paths = updateMask?.paths.length ? updateMask.paths : ["display_name", "tables"];
      for (const path of paths) await changeField(path, after, row, dataFile, deps, signal);
      after.updateTime = timestampFromMs(Math.floor(deps.clock.now()));
      await put(deps, { ...row, file: after, etag: ids.uuid() }, row.etag);
      await copies.ready({ ...row, file: after });
      return after;
    },
    async remove(name, force, isShown) {
      const row = await readRow(store, name, "name");
      if (!force) await requireUnread(store, name, "DATA_FILE_IN_USE", isShown);
      const { project, dataset } = partsOf(name);
      const profiles = row.file.tables.map(({ tableId }) =>
        profileRowOf({ dialect: "duckdb" }, [project, dataset, tableId]),
      );
      // The content first: when its store is away the file is still there, and can be removed again.
      await deps.blobs.remove(row.blob);
      await store.write([name, ...profiles].map((deleted) => ({ kind: "delete" as const, name: deleted })));
      await uploadsOf(deps).remove(dataset);
    },
    kind: {
      nameOf: fileOfTable,
      permission: "geminidataanalytics.dataFiles",
      ownerOf: async (name) => (await rowOf(store, name))?.file.uploader,
      async ready(name) {
        const row = await rowOf(store, name);
        if (row) await copies.ready(row);
        return row !== undefined;
      },
      unknown: unknownTable,
    },
  };
}

async function createFile(
  deps: DataFilesDeps,
  request: CreateDataFileRequest,
  uploader: string,
  signal: AbortSignal,
): Promise<DataFile> {
  const { store, blobs, warehouse, clock, ids, limits = FILE_LIMITS } = deps;
  const { parent, content, dataFile } = request;
  const displayName = dataFile?.displayName.trim() ?? "";
  if (displayName === "")
    throw invalidArgument({ field: "data_file.display_name", description: "Required field is not set." });
  const name = newFileName(parent, ids);
  const { format, file: fileName } = recognizeFile(displayName, content);
  const { project, dataset } = partsOf(name);
  const stored = await allFiles(store, `projects/${project}/locations/-`);
  checkRoom(content.length, uploader, stored, limits);
  const uploads = uploadsOf(deps);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const blob = `dataFiles/${dataset}/${sha256}`;
  try {
    uploads.write(dataset, fileName, content, {});
    const tables = await readTables(warehouse, { project, dataset }, limits, signal);
    refuseObjectAround(format, tables);
    const now = timestampFromMs(Math.floor(clock.now()));
    const file = create(DataFileSchema, {
      ...{ name, displayName, format, sha256, uploader, createTime: now, updateTime: now },
      sizeBytes: BigInt(content.length),
      tables: [...tables],
    });
    uploads.convert(dataset, conversionsOfTables(file.tables));
    await blobs.put(blob, content);
    await put(deps, { file, fileName, blob, etag: ids.uuid() }, "");
    return file;
  } catch (error) {
    await Promise.all([uploads.remove(dataset), blobs.remove(blob)]);
    throw aboutContent(error);
  }
}

/** A file that the warehouse cannot read is the request's fault. */
function aboutContent(error: unknown): unknown {
  if (!(error instanceof ConnectError) || reasonOf(error) !== "TABLE_FILE_UNREADABLE") return error;
  return invalidArgument({ field: "content", description: error.rawMessage });
}

async function changeField(
  path: string,
  after: DataFile,
  row: FileRow,
  incoming: DataFile,
  deps: DataFilesDeps,
  signal: AbortSignal,
): Promise<void> {
  if (path === "display_name") {
    const displayName = incoming.displayName.trim();
    if (displayName === "" || displayName.length > 200)
      throw invalidArgument({
        field: "data_file.display_name",
        description: "A file has a name of 1 to 200 characters.",
      });
    after.displayName = displayName;
    return;
  }
  if (path !== "tables")
    throw invalidArgument({
      field: "update_mask",
      description: `'${path}' cannot be changed; display_name and tables can.`,
    });
  const content = await contentOf(row, deps);
  after.tables = [...(await changedTables(row, incoming.tables, content, deps, signal))];
}

/** Copies of files in the warehouse of this server, made when they are first asked for. */
function createCopies(deps: DataFilesDeps) {
  /** What was written of each, so that a change by another server is seen. */
  const written = new Map<string, string>();
  return {
    async ready(row: FileRow): Promise<void> {
      const uploads = uploadsOf(deps);
      const { dataset } = partsOf(row.file.name);
      const conversions = conversionsOfTables(row.file.tables);
      const text = JSON.stringify(conversions);
      if (!uploads.has(dataset)) uploads.write(dataset, row.fileName, await contentOf(row, deps), conversions);
      else if (written.get(dataset) !== text) uploads.convert(dataset, conversions);
      written.set(dataset, text);
    },
  };
}

async function contentOf({ blob, file }: FileRow, { blobs }: DataFilesDeps): Promise<Uint8Array> {
  const content = await blobs.get(blob);
  if (content && createHash("sha256").update(content).digest("hex") === file.sha256) return content;
  throw failedPrecondition(
    `The content of the uploaded file '${file.displayName}' is ${content ? "damaged" : "gone"}, as after a backup without its files: upload the file again, and remove this one.`,
    { reason: "DATA_FILE_LOST", metadata: { dataFile: file.name } },
  );
}

function put({ store }: DataFilesDeps, row: FileRow, ifEtag: string): Promise<void> {
  return putRow(store, toFileRow(row), ifEtag);
}

async function readRow(store: ResourceStore, name: string, field: string): Promise<FileRow> {
  checkFileName(name, field);
  const row = await rowOf(store, name);
  if (!row) throw notFound(name, DATA_FILE_TYPE);
  return row;
}

async function rowOf(store: ResourceStore, name: string): Promise<FileRow | undefined> {
  const row = await store.get(name);
  return row?.type === DATA_FILE_TYPE ? fromFileRow(row) : undefined;
}

async function allFiles(store: ResourceStore, parent: string): Promise<readonly DataFile[]> {
  return (await allRows(store, DATA_FILE_TYPE, parent)).map((row) => fromFileRow(row).file);
}

async function listFiles(
  store: ResourceStore,
  request: ListDataFilesRequest,
  isShown: ShownTo | undefined,
): Promise<DataFilePage> {
  const checksum = requestChecksum(ListDataFilesRequestSchema, request);
  const files = await allFiles(store, request.parent);
  const page = await shownPage(files, ({ uploader }) => uploader, { ...request, checksum }, isShown);
  return { files: page.items, nextPageToken: page.nextPageToken };
}

function uploadsOf({ warehouse }: DataFilesDeps): Uploads {
  if (warehouse.uploads) return warehouse.uploads;
  throw failedPrecondition("This server takes no files.", { reason: "DATA_FILES_OFF" });
}

/** In the same words for files that never were, were removed, or are of others. */
function unknownTable(table: string): Error {
  return failedPrecondition(
    `No uploaded file has the table ${table}. Upload the file again, or take the table out of the context.`,
    {
      reason: "DATA_FILE_UNKNOWN",
      metadata: { table },
    },
  );
}

/** How the columns of a file are read. */
function conversionsOfTables(tables: readonly Table[]): TableConversions {
  return Object.fromEntries(
    tables.map(({ tableId, columns }) => [
      tableId,
      Object.fromEntries(
        columns.flatMap((column): readonly (readonly [string, Conversion])[] => {
          const conversion = conversionOf(column, column.name);
          return conversion ? [[column.name, conversion]] : [];
        }),
      ),
    ]),
  );
}
