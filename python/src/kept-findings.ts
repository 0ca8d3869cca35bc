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

/** Creates what is kept in a store. A store that fails is as an empty one, with a line in the log. */
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
  const failed = (error: unknown): undefined => {
    logger.warn({ error: String(error) }, "what is known of a Python file could not be kept or read");
  };
  async function keep(code: string, answer: string): Promise<void> {
    const key = await keyOf(code);
    if (key !== undefined) await store.put(key, answer).catch(failed);
  }
  return {
    async find(code) {
      const key = await keyOf(code);
      return key === undefined ? undefined : store.get(key).catch(failed);
    },
    keep: (code, answer) => void keep(code, answer),
  };
}
