import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { ListOperationsRequestSchema, type Operation } from "@frontdesk/protos/google/longrunning/operations";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import type { Clock, Ids, Logger } from "#base";
import { aborted, Code, ConnectError, notFound, toStatusError } from "#status";
import type { OperationRow, OperationStore } from "#storage";
import type { OperationHandle, Operations, OperationWork } from "./contract.ts";
import { type OperationStamps, packMetadata, restampMetadata } from "./metadata.ts";
import { METADATA_TYPES } from "./metadata-types.ts";
import { packError, packResponse, toOperation } from "./operation-row.ts";
import { settledWithin } from "./settled-within.ts";

/** What operations need. */
export interface OperationsDeps {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /**
   * Work that takes no longer than this, in milliseconds, is done in the answer to the call that started it: most resource
   * changes are. Default 20.
   */
  readonly quickMs?: number;
}

/** An operation of this process. */
interface Running {
  /** As it will be when all its changes are stored, which happens in order. Clients see only what is stored. */
  row: OperationRow;
  stamps: OperationStamps;
  readonly controller: AbortController;
  /** Nobody wants the result any more, so it is not stored. */
  deleted: boolean;
  /** The work has ended. Never rejects. */
  readonly ended: Promise<void>;
  /** Its result is stored. Never rejects. */
  readonly finished: Promise<void>;
}

/** Creates the long-running operations of a server. */
export function createOperations({ store, clock, ids, logger, quickMs = 20 }: OperationsDeps): Operations {
  const running = new Map<string, Running>();
  /** Results that could not be stored: told from here until the server ends; after that, `recover` says that they are lost. */
  const unstored = new Map<string, OperationRow>();

  const start: Operations["start"] = async ({ parent, kind, metadata, response, work }) => {
    const createTime = clock.now();
    const row: OperationRow = {
      name: `${parent}/operations/${ids.uuid()}`,
      parent,
      done: false,
      createTime,
      kind,
      metadata: metadata ? packMetadata(METADATA_TYPES, metadata, { createTime }) : NOTHING,
      response: NOTHING,
      error: NOTHING,
    };
    // Stored before the work begins: a crash in the middle of it leaves a trace that `recover` answers for.
    await store.put(row);
    const operation = launch(row, response, work);
    await settledWithin(operation.ended, quickMs);
    if (operation.row.done) await operation.finished;
    return get(row.name);
  };

  function launch<O extends DescMessage>(row: OperationRow, response: O, work: OperationWork<O>): Running {
    const ended = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const operation: Running = {
      row,
      stamps: { createTime: row.createTime },
      controller: new AbortController(),
      deleted: false,
      ended: ended.promise,
      finished: finished.promise,
    };
    running.set(row.name, operation);
    void run(operation, response, work, ended.resolve).finally(finished.resolve);
    return operation;
  }

  async function run<O extends DescMessage>(
    operation: Running,
    response: O,
    work: OperationWork<O>,
    ended: () => void,
  ): Promise<void> {
    const result = await resultOf(operation, response, work);
    operation.stamps = { ...operation.stamps, endTime: clock.now() };
    const stored = finish(operation, { ...result, done: true });
    ended();
    await stored;
  }

  async function resultOf<O extends DescMessage>(
    operation: Running,
    response: O,
    work: OperationWork<O>,
  ): Promise<Partial<OperationRow>> {
    try {
      return { response: packResponse(response, await work(handleOf(operation))) };
    } catch (error) {
      return { error: packError(toRefusal(operation, error)) };
    }
  }

  function handleOf(operation: Running): OperationHandle {
    return {
      name: operation.row.name,
      signal: operation.controller.signal,
      progress: async (metadata: Message) => {
        if (operation.row.done) return;
        await change(operation, { metadata: packMetadata(METADATA_TYPES, metadata, operation.stamps) });
      },
    };
  }

  function toRefusal({ row, controller }: Running, error: unknown): ConnectError {
    const refusal = toStatusError(error);
    if (refusal.code === Code.Canceled && controller.signal.aborted) return cancelled();
    if (refusal.code === Code.Internal) {
      logger.error({ err: refusal.cause ?? refusal, operation: row.name, kind: row.kind }, "an operation failed");
    }
    return refusal;
  }

  async function finish(operation: Running, result: Partial<OperationRow>): Promise<void> {
    const { row, stamps } = operation;
    try {
      await change(operation, { ...result, metadata: restampMetadata(METADATA_TYPES, row.metadata, stamps) });
    } catch (error) {
      if (!operation.deleted) unstored.set(row.name, operation.row);
      logger.error(
        { err: error, operation: row.name, kind: row.kind },
        "the result of an operation could not be stored",
      );
    } finally {
      running.delete(row.name);
    }
  }

  async function change(operation: Running, fields: Partial<OperationRow>): Promise<void> {
    operation.row = { ...operation.row, ...fields };
    if (!operation.deleted) await store.put(operation.row);
  }

  async function read(name: string): Promise<OperationRow> {
    const row = unstored.get(name) ?? (await store.get(name));
    if (!row) throw notFound(name, OPERATION_TYPE);
    return row;
  }

  async function get(name: string): Promise<Operation> {
    return toOperation(await read(name));
  }

  const list: Operations["list"] = async (parent, pageSize, pageToken) => {
    const checksum = requestChecksum(
      ListOperationsRequestSchema,
      create(ListOperationsRequestSchema, { name: parent }),
    );
    // The checksum proves that the position is one of ours: a name.
    const after = decodePageToken(pageToken, checksum) as string | undefined;
    const { rows, last } = await store.list(parent, pageSizeOf(pageSize), after);
    return { operations: rows.map(toOperation), nextPageToken: last ? encodePageToken(last[1], checksum) : "" };
  };

  async function remove(name: string): Promise<void> {
    const operation = running.get(name);
    if (operation) operation.deleted = true;
    unstored.delete(name);
    if (!(await store.remove(name))) throw notFound(name, OPERATION_TYPE);
  }

  async function cancel(name: string): Promise<void> {
    await read(name);
    const operation = running.get(name);
    if (!operation || operation.row.done) return;
    operation.controller.abort(cancelled());
    operation.stamps = { ...operation.stamps, requestedCancellation: true };
    await change(operation, { metadata: restampMetadata(METADATA_TYPES, operation.row.metadata, operation.stamps) });
  }

  async function wait(name: string, timeoutMs: number): Promise<Operation> {
    const operation = running.get(name);
    if (operation) await settledWithin(operation.finished, timeoutMs);
    return get(name);
  }

  async function recover(): Promise<void> {
    const left = (await store.unfinished()).filter(({ name }) => !running.has(name));
    await Promise.all(left.map((row) => store.put(lost(row))));
    if (left.length > 0)
      logger.warn({ operations: left.map(({ name }) => name) }, "operations were lost when the server stopped");
  }

  function lost(row: OperationRow): OperationRow {
    const refusal = aborted(
      `The server stopped while this operation (${row.kind}) was running, so it did not finish. Start it again.`,
      {
        reason: "SERVER_STOPPED",
      },
    );
    const metadata = restampMetadata(METADATA_TYPES, row.metadata, { endTime: clock.now() });
    return { ...row, done: true, metadata, error: packError(refusal) };
  }

  async function drain(timeoutMs: number): Promise<void> {
    await settledWithin(Promise.all([...running.values()].map(({ finished }) => finished)), timeoutMs);
  }

  return { start, get, list, remove, cancel, wait, recover, drain };
}

const NOTHING = new Uint8Array();
const OPERATION_TYPE = "longrunning.googleapis.com/Operation";

/** What cancelled work throws when it obeys its signal, and how it ends (`CancelOperation`'s comment: code 1). */
function cancelled(): ConnectError {
  return new ConnectError("The operation was cancelled.", Code.Canceled);
}
