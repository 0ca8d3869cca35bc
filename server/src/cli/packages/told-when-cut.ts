import { CommandError } from "../command.ts";
import { warn } from "../output/say.ts";
import { isUnanswered } from "../server/unanswered.ts";

/** Runs a step that writes. */
type Written = <T>(step: () => Promise<T>) => Promise<T>;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs work that writes in several steps. Where it fails or is interrupted once a step has written, or may have, `advice` says so: without it nobody
 * would know that the work is half done.
 */
export async function toldWhenCut<T>(advice: string, work: (written: Written) => Promise<T>): Promise<T> {
  let hasWritten = false;
  const written: Written = async (step) => {
    const before = hasWritten;
    hasWritten = true;
    return step().catch((error: unknown) => {
      hasWritten = before || isUnanswered(error);
      throw error;
    });
  };
  const interrupted = (signal: NodeJS.Signals): void => {
    stopListening();
    if (hasWritten) warn(advice);
    process.kill(process.pid, signal);
  };
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    return await work(written);
  } catch (error) {
    if (!hasWritten || !(error instanceof CommandError)) throw error;
    throw new CommandError(`${error.message}\n${advice}`);
  } finally {
    stopListening();
  }
}
