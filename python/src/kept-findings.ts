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
  const keyOf = async (code: string) => `${await starter.imageName()}/${hash("sha256", code)}`;
  const failed = (error: unknown): undefined => {
    logger.warn({ error: String(error) }, "what is known of a Python file could not be kept or read");
  };
  return {
    find: async (code) => keyOf(code).then(store.get).catch(failed),
    keep: (code, answer) =>
      void keyOf(code)
        .then((key) => store.put(key, answer))
        .catch(failed),
  };
}
