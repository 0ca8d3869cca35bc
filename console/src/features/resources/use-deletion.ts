import { Code, ConnectError } from "@connectrpc/connect";
import { useRef, useState } from "react";
import { toStatusError } from "../../api/status-error.ts";

/** A resource that was not deleted, and why. */
export interface Kept {
  readonly name: string;
  readonly reason: string;
}

/** How resources of a kind are deleted. */
export interface Deleter {
  /** So many are taken together. */
  readonly together: number;
  /** So many times at once. */
  readonly atOnce: number;
  /** Resolves to those that it could not delete; rejects where the others could not be either. */
  readonly remove: (names: readonly string[]) => Promise<readonly Kept[]>;
}

/** How far it is. */
export interface DeletionProgress {
  readonly deleted: readonly string[];
  readonly kept: readonly Kept[];
  readonly isRunning: boolean;
  /** Why it ended before all were tried. */
  readonly problem?: string;
}

interface Deletion {
  /** Absent: nobody began it. */
  readonly progress: DeletionProgress | undefined;
  readonly begin: () => void;
  /** Deletes no more; what is being deleted goes on. */
  readonly stop: () => void;
}

/** Deletes resources by these names, once. Resources that cannot be deleted do not keep the others from it. */
export function useDeletion(names: readonly string[], { together, atOnce, remove }: Deleter): Deletion {
  const [progress, setProgress] = useState<DeletionProgress>();
  const stopped = useRef(false);
  const begin = async () => {
    const left = Array.from({ length: Math.ceil(names.length / together) }, (_, at) =>
      names.slice(at * together, (at + 1) * together),
    ).values();
    let now: DeletionProgress = { deleted: [], kept: [], isRunning: true };
    const show = (more: Partial<DeletionProgress>) => {
      now = { ...now, ...more };
      setProgress(now);
    };
    show({});
    const work = async () => {
      for (const chunk of left) {
        if (stopped.current) return;
        try {
          const kept = await remove(chunk);
          const keptNames = new Set(kept.map(({ name }) => name));
          const deleted = chunk.filter((name) => !keptNames.has(name));
          show({ deleted: [...now.deleted, ...deleted], kept: [...now.kept, ...kept] });
        } catch (error) {
          stopped.current = true;
          show({ problem: toStatusError(error).message });
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    show({ isRunning: false });
  };
  return {
    progress,
    begin: () => void begin(),
    stop: () => {
      stopped.current = true;
    },
  };
}

/** What the API says of one resource, and not of the server or the caller. */
const OF_ONE: ReadonlySet<Code> = new Set([
  Code.FailedPrecondition,
  Code.Aborted,
  Code.InvalidArgument,
  Code.PermissionDenied,
]);

/** Deletes one by one, several at once. What somebody else deleted meanwhile is deleted. */
export function singly(remove: (name: string) => Promise<unknown>): Deleter {
  return {
    together: 1,
    atOnce: 6,
    remove: async ([name = ""]) => {
      try {
        await remove(name);
      } catch (error) {
        const { code } = ConnectError.from(error);
        if (code === Code.NotFound) return [];
        if (!OF_ONE.has(code)) throw error;
        return [{ name, reason: toStatusError(error).message }];
      }
      return [];
    },
  };
}
