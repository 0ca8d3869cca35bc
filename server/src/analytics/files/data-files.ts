import { createHash } from "node:crypto";
import { clone, create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type {
  CreateDataFileRequest,
  ListDataFilesRequest,
  UpdateDataFileRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import { ListDataFilesRequestSchema } from "@frontdesk/protos/gda/data_agent_service";
import { type DataFile, DataFileSchema } from "@frontdesk/protos/gda/data_file";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import type { Clock, Ids, Logger } from "#base";
import { aborted, ConnectError, failedPrecondition, invalidArgument, notFound, reasonOf } from "#status";
import { type BlobStore, type ResourceStore, StaleEtagError } from "#storage";
import type { Uploads, Warehouse } from "#warehouse";
import { PAGES } from "../agents/list-agents.ts";
import { profileRowOf } from "../profiles/profiles.ts";
import { agentsReading, type DataContext, tablesOf } from "./agents-reading.ts";
import { changedTables } from "./change-columns.ts";
import { checkFileName, DATA_FILE_TYPE, fileOfTable, newFileName, partsOf } from "./data-file-name.ts";
import { conversionsOfTables } from "./file-conversions.ts";
import { recognizeFile } from "./file-format.ts";
import { checkRoom, FILE_LIMITS, type FileLimits } from "./file-limits.ts";
import { type FileRow, fromFileRow, toFileRow } from "./file-rows.ts";
import { readTables } from "./read-tables.ts";

/** Files with tables that people uploaded. */
export interface DataFiles {
  /** Reads the tables of a file and keeps it. INVALID_ARGUMENT and RESOURCE_EXHAUSTED keep nothing. */
  create(request: CreateDataFileRequest, uploader: string, signal: AbortSignal): Promise<DataFile>;
  /** With the agents that read it. NOT_FOUND otherwise. */
  get(name: string, field?: string): Promise<DataFile>;
  list(request: ListDataFilesRequest, isShown: ShownFile | undefined): Promise<DataFilePage>;
  /** Changes the name, and what kind of values columns have. INVALID_ARGUMENT where values are not of that kind. */
  update(request: UpdateDataFileRequest, signal: AbortSignal): Promise<DataFile>;
  /** Removes the file and all that was read of it. FAILED_PRECONDITION where agents read it and `force` is not set. */
  remove(name: string, force: boolean): Promise<void>;
  /** The names that files of a location have whose tables a context names, whether they exist or not. */
  named(context: DataContext, location: string): readonly string[];
  /** Makes the files ready to be read whose tables a context names. FAILED_PRECONDITION for tables that the location has not. */
  ready(context: DataContext, location: string): Promise<void>;
}

/** Whether a caller is shown a file. */
type ShownFile = (name: string, uploader: string) => boolean | Promise<boolean>;

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
  const oneAtATime = serialized();
  removeForeign(deps);
  return {
    create: (request, uploader, signal) => oneAtATime(() => createFile(deps, request, uploader, signal)),
    async get(name, field = "name") {
      const { file } = await readRow(store, name, field);
      const agents = await agentsReading(store, name);
      return create(DataFileSchema, { ...file, dataAgents: agents.map((agent) => agent.name) });
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
    async remove(name, force) {
      const row = await readRow(store, name, "name");
      const agents = await agentsReading(store, name);
      if (agents.length > 0 && !force)
        throw inUse(
          name,
          agents.map((agent) => agent.name),
        );
      const { project, dataset } = partsOf(name);
      const profiles = row.file.tables.map(({ tableId }) =>
        profileRowOf({ dialect: "duckdb" }, [project, dataset, tableId]),
      );
      // The content first: when its store is away the file is still there, and can be removed again.
      await deps.blobs.remove(row.blob);
      await store.write([name, ...profiles].map((deleted) => ({ kind: "delete" as const, name: deleted })));
      await uploadsOf(deps).remove(dataset);
    },
    named: (context, location) => [...filesOf(context, location).keys()],
    async ready(context, location) {
      for (const [name, table] of filesOf(context, location)) {
        const row = await store.get(name);
        if (row?.type !== DATA_FILE_TYPE) throw unknownTable(table);
        await copies.ready(fromFileRow(row));
      }
    },
  };
}

/** The files of a context, each with a table of it. Tables that say to be of another project are of none. */
function filesOf(context: DataContext, location: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { projectId, datasetId, tableId } of tablesOf(context)) {
    const table = `${projectId}.${datasetId}.${tableId}`;
    const file = fileOfTable(location, datasetId);
    if (file === undefined) continue;
    if (partsOf(file).project !== projectId) throw unknownTable(table);
    files.set(file, table);
  }
  return files;
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
  const stored = await allRows(store, `projects/${project}/locations/-`);
  checkRoom(
    content.length,
    uploader,
    stored.map(({ file }) => file),
    limits,
  );
  const uploads = uploadsOf(deps);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const blob = `dataFiles/${dataset}/${sha256}`;
  try {
    uploads.write(dataset, fileName, content, {});
    const tables = await readTables(warehouse, { project, dataset }, limits, signal);
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
  throw new Error(`the content of ${file.name} is ${content ? "damaged" : "gone"}`);
}

/** A file that another server removes is removed here too. */
function removeForeign(deps: DataFilesDeps): void {
  const { store, warehouse, logger } = deps;
  store.onForeignWrite?.((write) => {
    if (!write || !/\/dataFiles\/upload_[0-9a-f]+$/.test(write.name)) return;
    store
      .get(write.name)
      .then((row) => (row ? undefined : warehouse.uploads?.remove(partsOf(write.name).dataset)))
      .catch((error: unknown) =>
        logger.error({ err: error, file: write.name }, "a removed file could not be removed here"),
      );
  });
}

async function put({ store }: DataFilesDeps, row: FileRow, ifEtag: string): Promise<void> {
  await store.write([{ kind: "put", row: toFileRow(row), ifEtag }]).catch((error: unknown) => {
    if (!(error instanceof StaleEtagError)) throw error;
    throw aborted(`'${row.file.name}' was changed meanwhile. Read it again, then repeat the change.`);
  });
}

async function readRow(store: ResourceStore, name: string, field: string): Promise<FileRow> {
  checkFileName(name, field);
  const row = await store.get(name);
  if (row?.type !== DATA_FILE_TYPE) throw notFound(name, DATA_FILE_TYPE);
  return fromFileRow(row);
}

const ROWS_AT_A_TIME = 200;

async function allRows(store: ResourceStore, parent: string): Promise<readonly FileRow[]> {
  const rows: FileRow[] = [];
  let after: readonly [string | number, string] | undefined;
  do {
    const page = await store.list({
      ...{ type: DATA_FILE_TYPE, parent, orderBy: "create_time", descending: true, limit: ROWS_AT_A_TIME },
      ...(after && { after }),
    });
    rows.push(...page.rows.map(fromFileRow));
    after = page.last;
  } while (after);
  return rows;
}

/** Newest first. A project has a thousand at most, so all are read. */
async function listFiles(
  store: ResourceStore,
  request: ListDataFilesRequest,
  isShown: ShownFile | undefined,
): Promise<DataFilePage> {
  const size = pageSizeOf(request.pageSize, PAGES);
  const checksum = requestChecksum(ListDataFilesRequestSchema, request);
  const after = decodePageToken(request.pageToken, checksum);
  const files = (await allRows(store, request.parent)).map(({ file }) => file);
  const shown = await Promise.all(files.map(({ name, uploader }) => isShown?.(name, uploader) ?? true));
  const visible = files.filter((_, at) => shown[at]);
  const rest = typeof after === "number" ? visible.slice(after) : visible;
  const begun = typeof after === "number" ? after : 0;
  return {
    files: rest.slice(0, size),
    nextPageToken: rest.length > size ? encodePageToken(begun + size, checksum) : "",
  };
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

function inUse(name: string, agents: readonly string[]): Error {
  const text = agents.length === 1 ? "a data agent reads it" : `${agents.length} data agents read it`;
  return failedPrecondition(
    `'${name}' is not removed because ${text}. Take its tables out of them, or remove it with force=true: they can then not be asked about it.`,
    {
      reason: "DATA_FILE_IN_USE",
      metadata: { name },
    },
  );
}

/** One after the other: each holds a whole file, and counts what there is before it adds to it. */
function serialized() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
