import { isDeepStrictEqual } from "node:util";
import { toBinary } from "@bufbuild/protobuf";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import { LRUCache } from "lru-cache";
import { type Clock, steadyClock } from "#base";
import type { SqlSource } from "#warehouse";
import type { SemanticModel } from "../contract.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { type AuthoredQuery, authoredQueries } from "./example-queries.ts";
import { readSourceMetadata, type SourceMetadata, toSemanticModel } from "./semantic-model.ts";

/** Semantic models of the contexts that were used last, so that not each question reads schemas and values. */
export interface SemanticModelCache {
  /**
   * The semantic model of a context, at most a minute old, with the values that are known by now. Models are kept apart by `viewParameters`: values of columns are rows too,
   * and secure views show each caller others; by the viewer of the source too, for whom rules may hide some (CA-49).
   */
  get(
    source: SqlSource,
    context: Context,
    signal: AbortSignal,
    viewParameters?: Readonly<Record<string, string>>,
  ): Promise<SemanticModel>;
  /** The authored queries of a model's context, read once: a YAML instruction takes milliseconds to parse. */
  authoredQueries(model: SemanticModel, context: Context): readonly AuthoredQuery[];
}

const MAX_MODELS = 50;
const MAX_AGE_MS = 60_000;
/** How long a model is kept whose values are not all read yet. */
const INCOMPLETE_MS = 2_000;

/** Keeps the fifty models that were used last, in this process alone. */
export function createSemanticModelCache(clock: Clock, profiles: Pick<Profiles, "get">): SemanticModelCache {
  const steady = steadyClock(clock);
  const authored = new WeakMap<SemanticModel, readonly AuthoredQuery[]>();
  const models = new LRUCache<
    string,
    { readonly model: SemanticModel; readonly metadata: SourceMetadata; readonly until: number }
  >({ max: MAX_MODELS });
  return {
    async get(source, context, signal, viewParameters = {}) {
      const parameters = JSON.stringify(Object.entries(viewParameters).toSorted());
      const key = `${Buffer.from(toBinary(ContextSchema, context)).toString("base64")} ${parameters} ${source.viewer ?? ""}`;
      const cached = models.get(key);
      if (cached && steady.now() < cached.until) return cached.model;
      const viewer = parameters === "[]" ? "" : parameters;
      const metadata = await readSourceMetadata(source, context, signal, (schemas, reading) =>
        profiles.get(source, schemas, { ...reading, viewer }),
      );
      // What is made of a model, such as its index of words, stays with it as long as nothing has changed.
      const unchanged = cached && isSame(cached.metadata, metadata);
      const model = unchanged ? cached.model : toSemanticModel(source, context, metadata);
      const age = metadata.profiles.complete ? MAX_AGE_MS : INCOMPLETE_MS;
      models.set(key, { model, metadata, until: steady.now() + age });
      return model;
    },
    authoredQueries(model, context) {
      const queries = authored.get(model) ?? authoredQueries(context);
      authored.set(model, queries);
      return queries;
    },
  };
}

/** Whether all tables and what is known of their values are as they were. */
function isSame(before: SourceMetadata, now: SourceMetadata): boolean {
  if (before.schemas.length !== now.schemas.length) return false;
  return now.schemas.every((schema, at) => {
    const other = before.schemas[at];
    const known = now.profiles.of(schema.path) === before.profiles.of(schema.path);
    return known && other?.version === schema.version && isDeepStrictEqual(other, schema);
  });
}
