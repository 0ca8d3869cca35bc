import { hash } from "node:crypto";
import type { Logger } from "./contract.ts";
import type { GuestStarter } from "./guest-starter.ts";

/** Keeps texts, by key, for as long as it likes. */
export interface FindingStore {
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
}

/** What guests answered about files that load, by the image that they ran in and the content of the file. */
export interface KeptFindings {
  /** The guest's answer; undefined where none is kept, or none can be read. */
  find(code: string): Promise<string | undefined>;
  /** Returns at once. */
  keep(code: string, answer: string): void;
}

/** Creates what is kept in a store. A store that fails is as an empty one, with one line in the log until it works again: an app has thousands of files. */
export function createKeptFindings(
  store: FindingStore,
  starter: Pick<GuestStarter, "imageName">,
  logger: Logger,
): KeptFindings {
  /** Undefined without an image: whoever looks at the file then says why there is none. */
  const keyOf = (code: string) =>
    starter.imageName().then(
      (image) => `${image}/${hash("sha256", code)}`,
      () => undefined,
    );
  const reading = oneLineAFailure((error) =>
    logger.warn({ err: error }, "what is known of Python files cannot be read"),
  );
  const keeping = oneLineAFailure((error) =>
    logger.warn({ err: error }, "what is known of Python files cannot be kept"),
  );
  async function keep(code: string, answer: string): Promise<void> {
    const key = await keyOf(code);
    if (key !== undefined) await keeping(store.put(key, answer));
  }
  return {
    async find(code) {
      const key = await keyOf(code);
      return key === undefined ? undefined : reading(store.get(key));
    },
    keep: (code, answer) => void keep(code, answer),
  };
}

/** What a store answers, and undefined where it fails. A full disk can be read: reading and keeping fail apart. */
function oneLineAFailure(tell: (error: unknown) => void): <T>(access: Promise<T>) => Promise<T | undefined> {
  let isFailing = false;
  return async (access) => {
    try {
      const value = await access;
      isFailing = false;
      return value;
    } catch (error) {
      if (!isFailing) tell(error);
      isFailing = true;
      return undefined;
    }
  };
}
