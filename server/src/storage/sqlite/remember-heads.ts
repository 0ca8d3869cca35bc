import type { ConversationHead, ConversationStore, ResourceStore } from "../contract.ts";

/** Heads kept: those of the sessions that had a turn lately. */
const REMEMBERED = 1_000;

interface Stores {
  readonly conversations: ConversationStore;
  /** Its trees are deleted with their conversations. */
  readonly resources: ResourceStore;
}

/**
 * The stores, answering the head of a session that had a turn lately from memory: every turn asks for it, and asking the database
 * costs the main thread more than the rest of storing a turn. Right only where nobody else writes to the database, as
 * in a locked folder. What is remembered is what was committed; whatever else may change a head makes it forgotten.
 */
export function rememberHeads({ conversations, resources }: Stores): Stores {
  const heads = new Map<string, ConversationHead>();
  /** Grows when something begins that may change heads behind an append under way. */
  let changes = 0;

  function remember(head: ConversationHead): void {
    heads.set(head.name, head);
    const [oldest] = heads.keys();
    if (heads.size > REMEMBERED && oldest !== undefined) heads.delete(oldest);
  }

  async function changing<Result>(forget: () => void, change: () => Promise<Result>): Promise<Result> {
    changes++;
    forget();
    return change();
  }

  const forgetting = (names: readonly string[]) => () => {
    for (const name of names) heads.delete(name);
  };

  async function appendTurn(...[head, turn]: Parameters<ConversationStore["appendTurn"]>): Promise<void> {
    const before = heads.get(head.name);
    const changesBefore = changes;
    heads.delete(head.name);
    await conversations.appendTurn(head, turn);
    const first = turn.index === 1 ? head : before;
    if (first && changes === changesBefore)
      remember({ ...head, turnCount: turn.index, app: first.app, startTime: first.startTime });
    // The turn before this one may have been remembered meanwhile.
    else heads.delete(head.name);
  }

  return {
    conversations: {
      ...conversations,
      getHead: async (name) => heads.get(name) ?? conversations.getHead(name),
      appendTurn,
      remove: (names, endedBefore) => changing(forgetting(names), () => conversations.remove(names, endedBefore)),
      settle: (name, turnCount, state) =>
        changing(forgetting([name]), () => conversations.settle(name, turnCount, state)),
    },
    resources: {
      ...resources,
      write: (writes) => {
        const removesTrees = writes.some(({ kind }) => kind === "delete-tree");
        return removesTrees
          ? changing(
              () => heads.clear(),
              () => resources.write(writes),
            )
          : resources.write(writes);
      },
    },
  };
}
