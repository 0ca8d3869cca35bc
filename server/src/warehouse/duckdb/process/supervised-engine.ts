import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "#base";
import { QueryError } from "../../contract.ts";
import { type CallLimits, EngineEnded, type EngineProcess, startEngineProcess } from "./engine-process.ts";
import type { EngineArguments, EngineConfig, EngineMethod, EngineResult } from "./protocol.ts";

/** An engine that is always there: a process that ends is replaced at the next call. */
export interface SupervisedEngine {
  call<Method extends EngineMethod>(
    method: Method,
    args: EngineArguments<Method>,
    limits: CallLimits,
  ): Promise<EngineResult<Method>>;
  close(): void;
}

/**
 * Calls of which one ended the process run again, one after the other, in a process of their own: the one that ends that process too gets
 * the error, and the others their answers. Statements only read, so that they may run twice.
 */
export async function superviseEngine(config: EngineConfig, logger?: Pick<Logger, "warn">): Promise<SupervisedEngine> {
  const main = replacedEngine({ ...config, spillDir: join(config.spillDir, "main") });
  const apart = replacedEngine({ ...config, spillDir: join(config.spillDir, "apart") });
  let last: Promise<unknown> = Promise.resolve();

  /** Runs alone in the second process, which ends when nothing waits for it. */
  function alone<Result>(work: (engine: EngineProcess) => Promise<Result>): Promise<Result> {
    const done = last.then(() => apart.get()).then(work);
    const settled: Promise<unknown> = done
      .catch(() => undefined)
      .finally(() => {
        if (last === settled) apart.close();
      });
    last = settled;
    return done;
  }

  await main.get();
  return {
    call(method, args, limits) {
      const work = (engine: EngineProcess) => engine.call(method, args, limits);
      return main
        .get()
        .then(work)
        .catch((error) => {
          if (!(error instanceof EngineEnded)) throw error;
          logger?.warn({ method, error: error.message }, "The engine of questions to data ended; it is started again.");
          if (error.alone) throw tooLarge(error);
          limits.signal?.throwIfAborted();
          return alone(work).catch((again) => {
            throw again instanceof EngineEnded ? tooLarge(again) : again;
          });
        });
    },
    close() {
      main.close();
      apart.close();
    },
  };
}

/** An engine process, started when it is first wanted and again when it has ended. */
function replacedEngine(config: EngineConfig) {
  let current: Promise<EngineProcess> | undefined;
  let opened: EngineProcess | undefined;
  const start = () => {
    // What a killed process has spilled is of no use to the next one.
    rmSync(config.spillDir, { recursive: true, force: true });
    const starting = startEngineProcess(config);
    starting.then(
      (engine) => {
        opened = engine;
      },
      () => {
        current = undefined;
      },
    );
    return starting;
  };
  return {
    get(): Promise<EngineProcess> {
      if (opened?.retired) current = opened = undefined;
      current ??= start();
      return current;
    },
    close(): void {
      void current?.then(
        (engine) => engine.kill(),
        () => undefined,
      );
      current = opened = undefined;
    },
  };
}

function tooLarge(cause: Error): QueryError {
  return new QueryError(
    "too-expensive",
    "The statement needs more memory or a deeper stack than a question may use, so its engine was stopped. Ask for fewer rows, columns or conditions.",
    cause,
  );
}
