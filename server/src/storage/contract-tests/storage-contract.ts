import { after, before, describe, it } from "node:test";
import type { Storage } from "../contract.ts";
import { blobContract } from "./blobs.ts";
import { conversationLists } from "./conversation-lists.ts";
import { conversationTurns } from "./conversation-turns.ts";
import { operationContract } from "./operations.ts";
import { resourceLists } from "./resource-lists.ts";
import { resourceWrites } from "./resource-writes.ts";

/**
 * What every dialect promises, as tests: `open` gives an empty storage, closed by the suite. A new dialect calls this from its own
 * test file.
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
    blobContract(use);

    it("says that it takes writes", () => storage.check());
  });
}
