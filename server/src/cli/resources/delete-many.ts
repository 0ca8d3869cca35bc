import { AgentService, BatchDeleteConversationsResponseSchema } from "@frontdesk/protos/ces/agent_service";
import { idOf } from "#aip";
import { inParallel } from "#base";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import { showProgress } from "../output/progress-bar.ts";
import { finished } from "../server/operation.ts";
import { refusalText } from "../server/refusal-text.ts";
import { callServer, clientFor } from "../server/server-client.ts";
import { isUnanswered } from "../server/unanswered.ts";
import { interruption } from "../stop-signal.ts";

/** A resource that was not deleted, and why. */
interface Kept {
  readonly name: string;
  readonly reason: string;
}

/** How resources are deleted of which there are many. */
interface Deletion {
  /** So many are taken together. */
  readonly together: number;
  /** So many times at once. */
  readonly atOnce: number;
  /** Resolves to those that it could not delete; rejects where the others could not be either. */
  readonly remove: (names: readonly string[]) => Promise<readonly Kept[]>;
}

/** What the API says of one resource, and not of the server or the caller. */
const OF_ONE: ReadonlySet<Code> = new Set([
  Code.NotFound,
  Code.FailedPrecondition,
  Code.Aborted,
  Code.InvalidArgument,
  Code.PermissionDenied,
]);

/** How many that could not be deleted an error names. */
const MAX_NAMED = 20;

/** The one deletion of many that the API has. */
export function batchDeletion(parent: string, input: CommandInput): Deletion {
  return {
    together: 500,
    atOnce: 1,
    remove: async (names) => {
      const operation = await clientFor(AgentService, input).batchDeleteConversations({
        parent,
        conversations: [...names],
      });
      const { failedConversations, errorMessages } = await finished(
        operation,
        BatchDeleteConversationsResponseSchema,
        input,
      );
      return failedConversations.map((name, at) => ({
        name,
        reason: errorMessages[at] ?? "the server says no reason.",
      }));
    },
  };
}

/** Deletes one after the other, several at once. `isGoneDone`: one that another deleted meanwhile counts as deleted. */
export function singleDeletions(remove: (name: string) => Promise<void>, isGoneDone: boolean): Deletion {
  const keptBy = (name: string, error: unknown): readonly Kept[] => {
    // A connection that was lost has the code of an operation that was aborted.
    const isAnswer: boolean = !isUnanswered(error);
    if (!(error instanceof ConnectError) || !isAnswer || !OF_ONE.has(error.code)) throw error;
    return isGoneDone && error.code === Code.NotFound ? [] : [{ name, reason: refusalText(error) }];
  };
  return {
    together: 1,
    atOnce: 8,
    remove: async ([name = ""]) =>
      remove(name).then(
        () => [],
        (error: unknown) => keptBy(name, error),
      ),
  };
}

/** Deletes all of these names, which a terminal shows, until Ctrl-C. Throws `CommandError` with how many are deleted where some are not, and which. */
export async function deleteMany(
  names: readonly string[],
  { together, atOnce, remove }: Deletion,
  kind: string,
  input: CommandInput,
): Promise<void> {
  using interrupted = interruption();
  const reasons = new Map<string, string>();
  let tried = 0;
  const progress = showProgress(process.stderr);
  // In the order of the names, not of the answers.
  const kept = () => names.flatMap((name) => (reasons.has(name) ? [{ name, reason: reasons.get(name) ?? "" }] : []));
  const told = (end: string) =>
    new CommandError(
      [`${tried - reasons.size} of ${names.length} ${kind} are deleted${end}`, ...listed(kept())].join("\n"),
    );
  try {
    await inParallel(chunksOf(names, together), atOnce, interrupted.signal, async (chunk) => {
      for (const { name, reason } of await callServer(input, () => remove(chunk))) reasons.set(name, reason);
      tried += chunk.length;
      progress.update(tried, names.length);
    });
  } catch (error) {
    progress.end();
    if (interrupted.signal.aborted)
      throw new CommandError(`interrupted: ${told("; the same command deletes the rest.").message}`);
    if (tried === 0 || !(error instanceof Error)) throw error;
    throw told(`, and then: ${error.message}`);
  }
  progress.end();
  if (reasons.size > 0) throw told(". Not deleted:");
}

function listed(kept: readonly Kept[]): readonly string[] {
  const lines = kept.slice(0, MAX_NAMED).map(({ name, reason }) => `  ${idOf(name)}: ${reason}`);
  return kept.length > MAX_NAMED ? [...lines, `  and ${kept.length - MAX_NAMED} more`] : lines;
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
