import type { ConversationHead, ConversationStore, ResourceStore } from "../contract.ts";
import { createHeadCache } from "../create-head-cache.ts";

interface Stores {
  readonly conversations: ConversationStore;
  /** Its trees are deleted with their conversations. */
  readonly resources: ResourceStore;
}

/**
 * The stores with a cache of conversation heads: every turn reads one, and reading it from the database costs the main thread more than
 * the rest of storing a turn. It is the only cache of sessions: decoded session state is cached with these objects. It requires that no
 * other process writes to the database, as in a locked folder. A cached head is committed: each change removes it when it begins and
 * when it has ended, and the result of a read or append that overlaps a change is not cached.
 */
export function cacheHeads({ conversations, resources }: Stores, heads = createHeadCache()): Stores {
  /** The latest pending read or append of each conversation. */
  const pending = new Map<string, { readonly isAppend: boolean }>();

  async function cacheResult<Head extends ConversationHead | undefined>(
    name: string,
    work: Promise<Head>,
    isAppend: boolean,
  ): Promise<Head> {
    const mark = { isAppend };
    pending.set(name, mark);
    heads.delete(name);
    try {
      const head = await work;
      if (head && pending.get(name) === mark) put(head);
      return head;
    } finally {
      if (pending.get(name) === mark) pending.delete(name);
    }
  }

  function put(head: ConversationHead): void {
    heads.set(head.name, head);
  }

  async function change<Result>(remove: () => void, work: () => Promise<Result>): Promise<Result> {
    remove();
    try {
      return await work();
    } finally {
      remove();
    }
  }

  const removing = (names: readonly string[]) => () => {
    for (const name of names) {
      heads.delete(name);
      pending.delete(name);
    }
  };

  const removeAll = () => {
    heads.clear();
    pending.clear();
  };

  async function append(
    ...[head, turn, exports]: Parameters<ConversationStore["appendTurn"]>
  ): Promise<ConversationHead> {
    const first = turn.index === 1 ? undefined : (heads.peek(head.name) ?? (await conversations.getHead(head.name)));
    const stored = await conversations.appendTurn(head, turn, exports);
    return first ? { ...stored, app: first.app, startTime: first.startTime } : stored;
  }

  /** What is read while a turn is being stored may be from before it, and is the reader's alone. */
  async function getHead(name: string): Promise<ConversationHead | undefined> {
    const known = heads.get(name);
    if (known || pending.get(name)?.isAppend) return known ?? conversations.getHead(name);
    return cacheResult(name, conversations.getHead(name), false);
  }

  return {
    conversations: {
      ...conversations,
      getHead,
      appendTurn: (head, turn, exports) => cacheResult(head.name, append(head, turn, exports), true),
      remove: (names, endedBefore) => change(removing(names), () => conversations.remove(names, endedBefore)),
      settle: (name, turnCount, state) => change(removing([name]), () => conversations.settle(name, turnCount, state)),
    },
    resources: {
      ...resources,
      write: (writes) => {
        const removesTrees = writes.some(({ kind }) => kind === "delete-tree");
        return removesTrees ? change(removeAll, () => resources.write(writes)) : resources.write(writes);
      },
    },
  };
}
