import { isDeepStrictEqual } from "node:util";
import type { ConversationStore } from "../contract.ts";
import { createHeadCache } from "../create-head-cache.ts";

/**
 * The store with a cache of the heads of sessions that this server ran last. Only who holds a session's lease reads the cache: the lease tells whether another
 * server had a turn since, or the conversation was removed. Then it brings the head, which is the same object when it is the same head after all.
 */
export function cacheLeasedHeads(store: ConversationStore, heads = createHeadCache()): ConversationStore {
  const getHead: ConversationStore["getHead"] = async (name, lease) => {
    if (!lease) return store.getHead(name);
    const known = heads.get(name);
    if (known && lease.unchanged) return known;
    const head = lease.unchanged ? await store.getHead(name) : lease.head;
    if (known && isDeepStrictEqual(known, head)) return known;
    if (head) heads.set(name, head);
    else heads.delete(name);
    return head;
  };

  const appendTurn: ConversationStore["appendTurn"] = async (head, turn, exports, lease) => {
    const before = heads.get(head.name);
    heads.delete(head.name);
    const stored = await store.appendTurn(head, turn, exports, lease);
    const first = turn.index === 1 ? stored : before;
    // Without the first head the stored start time is not known, so the next turn reads it.
    if (!lease || !first) return stored;
    const kept = { ...stored, app: first.app, startTime: first.startTime };
    heads.set(head.name, kept);
    return kept;
  };

  return { ...store, getHead, appendTurn };
}
