import { after, before, describe, it } from "node:test";
import type { Storage } from "#storage";
import { auditContract } from "./audit.ts";
import { blobContract } from "./blobs.ts";
import { conversationLists } from "./conversation-lists.ts";
import { conversationTurns } from "./conversation-turns.ts";
import { credentialContract } from "./credentials.ts";
import { exportContract } from "./exports.ts";
import { jobContract } from "./jobs.ts";
import { operationContract } from "./operations.ts";
import { resourceLists } from "./resource-lists.ts";
import { resourceWrites } from "./resource-writes.ts";
import { shortLivedContract } from "./short-lived.ts";
import { taskContract } from "./tasks.ts";

/**
 * The contract of the stores, as tests for every dialect: `open` returns an empty storage, which the suite closes. A new dialect calls this
 * from its own test file.
 */
export function storageContract(dialect: string, open: () => Promise<Storage>): void {
  describe(`storage on ${dialect}`, () => {
    let storage: Storage;
    before(async () => {
      storage = await open();
    });
    after(() => storage.close());

    const use = () => storage;
    resourceWrites(use);
    resourceLists(use);
    conversationTurns(use);
    conversationLists(use);
    operationContract(use);
    jobContract(use);
    exportContract(use);
    credentialContract(use);
    auditContract(use);
    taskContract(use);
    blobContract(use);
    shortLivedContract(use);

    it("reports that it takes writes", () => storage.check());
  });
}
