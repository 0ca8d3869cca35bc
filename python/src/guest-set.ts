import type { Guest } from "./process/guest.ts";

/** A guest in the pool. `turn` names whose traces are in its memory; undefined means none since the last restore. */
export interface Member {
  readonly guest: Guest;
  turn: string | undefined;
  /** The turn and the tenant that it serves now. */
  busy: { readonly turn: string; readonly tenant: string } | undefined;
  /** Its code waits for the host. */
  waiting: boolean;
  calls: number;
  /** Rises with each call in the pool: tells which guest was used last. */
  lastUse: number;
  timer: NodeJS.Timeout | undefined;
}

export function newMember(guest: Guest): Member {
  return { guest, turn: undefined, busy: undefined, waiting: false, calls: 0, lastUse: 0, timer: undefined };
}

/** The guests of a pool. */
export class GuestSet {
  readonly #members = new Set<Member>();

  get size(): number {
    return this.#members.size;
  }

  add(member: Member): void {
    this.#members.add(member);
  }

  delete(member: Member): boolean {
    return this.#members.delete(member);
  }

  has(member: Member): boolean {
    return this.#members.has(member);
  }

  all(): Member[] {
    return [...this.#members];
  }

  /**
   * A free guest for a call of this turn: the turn's own, else a clean one, else any. Among equals the one that was used
   * last, because the processor and the engine still have it at hand.
   */
  choose(turn?: string): Member | undefined {
    let best: Member | undefined;
    let bestRank = -1;
    for (const member of this.#members) {
      if (member.busy !== undefined) continue;
      const rank = member.turn === undefined ? 1 : member.turn === turn ? 2 : 0;
      if (rank > bestRank || (rank === bestRank && member.lastUse > (best?.lastUse ?? 0)))
        [best, bestRank] = [member, rank];
    }
    return best;
  }

  /** Whether some guest serves a run of this turn that waits for the host: a further call of the turn may be what it waits for. */
  isAwaited(turn: string): boolean {
    for (const member of this.#members) if (member.waiting && member.busy?.turn === turn) return true;
    return false;
  }
}
