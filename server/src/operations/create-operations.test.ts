import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema, anyPack, EmptySchema } from "@bufbuild/protobuf/wkt";
import { OperationMetadataSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import {
  ListOperationsRequestSchema,
  type Operation,
  OperationSchema,
} from "@frontdesk/protos/google/longrunning/operations";
import { BadRequestSchema, ErrorInfoSchema, ResourceInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { createLogger } from "#base";
import { Code, ConnectError, invalidArgument } from "#status";
import { type OperationStore, openStorage, type Storage } from "#storage";
import {
  type AppInit,
  deps,
  errorOf,
  LOCATION,
  METADATA,
  metadata,
  startSlow,
} from "./__fixtures__/test-operations.ts";
import type { Operations } from "./contract.ts";
import { createOperations } from "./create-operations.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-operations-"));
let folders = 0;
let storage: Storage;
let operations: Operations;

after(() => rmSync(root, { recursive: true, force: true }));
beforeEach(async () => {
  folders += 1;
  storage = await open();
  operations = createOperations(deps(storage.operations));
});
afterEach(() => storage.close());

describe("a started operation", () => {
  it("is done in the first response when its work is quick, response and metadata packed", async () => {
    const operation = await operations.start({
      subject: LOCATION,
      kind: "CreateApp",
      metadata: METADATA,
      response: AppSchema,
      work: async () => ({ displayName: "Shop" }),
    });
    const expected: MessageInitShape<typeof OperationSchema> = {
      name: `${LOCATION}/operations/id-1`,
      done: true,
      metadata: metadata({ endTime: 1_000 }),
      result: { case: "response", value: anyPack(AppSchema, create(AppSchema, { displayName: "Shop" })) },
    };
    assert.deepEqual(operation, create(OperationSchema, expected));
    assert.deepEqual(await operations.get(operation.name), operation);
    assert.equal(operation.metadata?.typeUrl, "type.googleapis.com/google.cloud.ces.v1beta.OperationMetadata");
  });

  it("has a response even when that is empty", async () => {
    const operation = await operations.start({
      subject: LOCATION,
      kind: "DeleteApp",
      response: EmptySchema,
      work: async () => ({}),
    });
    assert.deepEqual(operation.result, {
      case: "response",
      value: create(AnySchema, { typeUrl: "type.googleapis.com/google.protobuf.Empty" }),
    });
  });

  it("is not done while its work takes longer, and ends when that does", async () => {
    const { operation, end } = await startSlow(operations);
    assert.deepEqual(operation, create(OperationSchema, { name: operation.name, metadata: metadata({}) }));
    assert.deepEqual(await operations.get(operation.name), operation);
    end({ displayName: "late" });
    const finished = await operations.wait(operation.name, 60_000);
    assert.equal(finished.done, true);
    assert.deepEqual(finished.result.value, anyPack(AppSchema, create(AppSchema, { displayName: "late" })));
  });

  it("is stored before its work begins", async () => {
    let stored = false;
    await operations.start({
      subject: LOCATION,
      kind: "CreateApp",
      response: EmptySchema,
      work: async ({ name }) => {
        stored = (await storage.operations.get(name))?.done === false;
        return {};
      },
    });
    assert.equal(stored, true);
  });

  it("shows the progress its work reports, and none after its end", async () => {
    const { operation, handle, end } = await startSlow(operations);
    await handle.progress(create(OperationMetadataSchema, { statusMessage: "half" }));
    assert.deepEqual((await operations.get(operation.name)).metadata, metadata({ statusMessage: "half" }));
    end({});
    await operations.wait(operation.name, 60_000);
    await handle.progress(create(OperationMetadataSchema, { statusMessage: "after the end" }));
    const finished = await operations.get(operation.name);
    assert.deepEqual(finished.metadata, metadata({ statusMessage: "half", endTime: 1_000 }));
    assert.equal(finished.done, true);
  });

  it("fails with the error of its work, details included", async () => {
    const operation = await startFailing(() => {
      throw invalidArgument({ field: "app.display_name", description: "is empty" });
    });
    const detail = create(BadRequestSchema, {
      fieldViolations: [{ field: "app.display_name", description: "is empty" }],
    });
    assert.deepEqual(errorOf(operation), {
      code: 3,
      message: "app.display_name: is empty",
      details: [anyPack(BadRequestSchema, detail)],
    });
  });

  it("fails with INTERNAL on an unexpected error, whose cause is only logged", async () => {
    const lines: string[] = [];
    operations = createOperations({ ...deps(storage.operations), logger: recordingLogger(lines) });
    const operation = await startFailing(() => {
      throw new Error("secret cause");
    });
    assert.deepEqual(errorOf(operation), {
      code: 13,
      message: "Internal error. The server's log has the details.",
      details: [],
    });
    assert.deepEqual(lines, [`an operation failed: ${operation.name}: secret cause`]);
  });

  it("returns its result until the server ends when the store does not take it", async () => {
    const store: OperationStore = {
      ...storage.operations,
      change: async () => Promise.reject(new Error("disk full")),
    };
    const lines: string[] = [];
    operations = createOperations({ ...deps(store), logger: recordingLogger(lines) });
    const operation = await operations.start({
      subject: LOCATION,
      kind: "CreateApp",
      response: EmptySchema,
      work: async () => ({}),
    });
    assert.deepEqual([operation.done, (await operations.get(operation.name)).done], [true, true]);
    assert.deepEqual(lines, [`the result of an operation could not be stored: ${operation.name}: disk full`]);
  });
});

describe("CancelOperation", () => {
  it("ends the operation with CANCELLED when the work stops, and records the request", async () => {
    for (const obey of [throwReason, throwAbortError]) {
      const { operation, handle, fail } = await startSlow(operations);
      handle.signal.addEventListener("abort", () => fail(obey(handle.signal)));
      await operations.cancel(operation.name);
      const finished = await operations.wait(operation.name, 60_000);
      assert.deepEqual(errorOf(finished), { code: 1, message: "The operation was cancelled.", details: [] });
      assert.deepEqual(finished.metadata, metadata({ requestedCancellation: true, endTime: 1_000 }));
    }
  });

  it("keeps the result of work that ends all the same", async () => {
    const { operation, end } = await startSlow(operations);
    await operations.cancel(operation.name);
    assert.deepEqual((await operations.get(operation.name)).metadata, metadata({ requestedCancellation: true }));
    end({ displayName: "done anyway" });
    const finished = await operations.wait(operation.name, 60_000);
    assert.equal(finished.result.case, "response");
  });

  it("does nothing to an operation that is done, and is NOT_FOUND for an unknown one", async () => {
    const done = await operations.start({
      subject: LOCATION,
      kind: "CreateApp",
      response: EmptySchema,
      work: async () => ({}),
    });
    await operations.cancel(done.name);
    assert.deepEqual(await operations.get(done.name), done);
    await assert.rejects(operations.cancel(`${LOCATION}/operations/none`), isNotFound);
  });
});

describe("GetOperation and WaitOperation", () => {
  it("are NOT_FOUND with the name for an unknown operation", async () => {
    const name = `${LOCATION}/operations/none`;
    await assert.rejects(operations.wait(name, 10), isNotFound);
    await assert.rejects(operations.get(name), (error) => {
      assert.ok(error instanceof ConnectError && error.code === Code.NotFound);
      assert.deepEqual(
        error.findDetails(ResourceInfoSchema).map((detail) => detail.resourceName),
        [name],
      );
      return true;
    });
  });

  it("wait no longer than the timeout", async () => {
    const { operation, end } = await startSlow(operations);
    assert.deepEqual(await operations.wait(operation.name, 5), operation);
    end({});
    await operations.drain(60_000);
  });
});

describe("ListOperations", () => {
  it("pages through the operations of one location", async () => {
    for (const subject of [LOCATION, LOCATION, "projects/p/locations/other", LOCATION]) {
      await operations.start({ subject, kind: "CreateApp", response: EmptySchema, work: async () => ({}) });
    }
    const first = await listed({ pageSize: 2 });
    const second = await listed({ pageSize: 2, pageToken: first.nextPageToken });
    const names = [first, second].map((page) => page.operations.map(({ name }) => name));
    assert.deepEqual(names, [
      [`${LOCATION}/operations/id-1`, `${LOCATION}/operations/id-2`],
      [`${LOCATION}/operations/id-4`],
    ]);
    assert.equal(second.nextPageToken, "");
    assert.equal((await listed({})).operations.length, 3);
    const { nextPageToken: pageToken } = first;
    await assert.rejects(listed({ name: "projects/p/locations/other", pageSize: 2, pageToken }), isInvalid);
    await assert.rejects(listed({ pageSize: 2, pageToken, filter: "done=true" }), isInvalid);
    await assert.rejects(listed({ pageSize: -1 }), isInvalid);
  });

  it("lists what the filter and the caller accept, in pages that are full", async () => {
    const works = [async () => ({}), () => Promise.reject(new Error("broken"))];
    for (let at = 0; at < 500; at++) {
      const work = works[at % 2] as (typeof works)[0];
      await operations.start({ subject: LOCATION, kind: "CreateApp", response: EmptySchema, work });
    }
    const isTenth = ({ name }: Operation) => name.endsWith("0");
    const names: string[] = [];
    let pageToken = "";
    do {
      const page = await operations.list(
        create(ListOperationsRequestSchema, { name: LOCATION, filter: "NOT error:*", pageSize: 7, pageToken }),
        ({ name }) => name.endsWith("9"),
      );
      names.push(...page.operations.map(({ name }) => name));
      pageToken = page.nextPageToken;
      if (pageToken !== "") assert.equal(page.operations.length, 7);
    } while (pageToken !== "");
    assert.equal(names.length, 50);
    assert.equal(
      (await operations.list(create(ListOperationsRequestSchema, { name: LOCATION, filter: "error:*" }), isTenth))
        .operations.length,
      50,
    );
    await assert.rejects(listed({ filter: "metadata.verb=create" }), /Any has no field 'verb'/);
  });

  const listed = (request: MessageInitShape<typeof ListOperationsRequestSchema>) =>
    operations.list(create(ListOperationsRequestSchema, { name: LOCATION, ...request }));
});

describe("DeleteOperation", () => {
  it("deletes an operation for good, without ending its work", async () => {
    const { operation, handle, end } = await startSlow(operations);
    await operations.remove(operation.name);
    await assert.rejects(operations.get(operation.name), isNotFound);
    assert.equal(handle.signal.aborted, false);
    await handle.progress(METADATA);
    end({});
    await operations.drain(60_000);
    assert.equal(await storage.operations.get(operation.name), undefined);
    await assert.rejects(operations.remove(operation.name), isNotFound);
  });
});

describe("a restart", () => {
  it("fails the operations of the last server with ABORTED, with the reason", async () => {
    const { operation } = await startSlow(operations);
    const done = await operations.start({
      subject: LOCATION,
      kind: "CreateApp",
      response: EmptySchema,
      work: async () => ({}),
    });
    const restarted = createOperations(deps(storage.operations));
    await restarted.recover();
    const lost = await restarted.get(operation.name);
    const info = create(ErrorInfoSchema, { reason: "SERVER_STOPPED", domain: "frontdesk" });
    assert.deepEqual(errorOf(lost), {
      code: 10,
      message: "The server stopped while this operation (ImportApp) was running, so it did not finish. Start it again.",
      details: [anyPack(ErrorInfoSchema, info)],
    });
    assert.deepEqual([lost.done, lost.metadata], [true, metadata({ endTime: 1_000 })]);
    assert.deepEqual(await restarted.get(done.name), done);
    assert.deepEqual(await storage.operations.unfinished(), []);
  });

  it("does not change the operations that this server runs", async () => {
    const { operation, end } = await startSlow(operations);
    await operations.recover();
    assert.equal((await operations.get(operation.name)).done, false);
    end({});
    await operations.drain(60_000);
  });
});

function open(): Promise<Storage> {
  return openStorage({
    dataDir: join(root, String(folders)),
    clock: { now: () => 1_000 },
    logger: createLogger("silent"),
  });
}

function startFailing(work: () => Promise<AppInit>): Promise<Operation> {
  return operations.start({ subject: LOCATION, kind: "CreateApp", response: AppSchema, work: async () => work() });
}

function throwReason(signal: AbortSignal): unknown {
  return signal.reason;
}

function throwAbortError(): unknown {
  return new DOMException("This operation was aborted", "AbortError");
}

function recordingLogger(lines: string[]) {
  const error = (fields: { err: Error; operation: string }, message: string) => {
    lines.push(`${message}: ${fields.operation}: ${fields.err.message}`);
  };
  return Object.assign(createLogger("silent"), { error });
}

function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}

function isInvalid(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.InvalidArgument;
}
