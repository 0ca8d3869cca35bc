import type { JsonObject } from "#base";
import type { HttpRequest } from "./http/http-client.ts";
import { ModelCallError, type Redact } from "./model-call-error.ts";

/** A model that maps texts to vectors; texts of similar meaning have near vectors. */
export interface EmbeddingModel {
  /** Provider and model; vectors of different labels are not comparable. */
  readonly label: string;
  /** One vector a text, in order. Throws a status error once the provider's retries are used up. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** What the vectors are for: some models place a question and its answer differently. */
export interface EmbedOptions {
  readonly purpose: "document" | "query";
  readonly signal: AbortSignal;
}

/** The embedding API of one provider: the request for a batch of texts, and the vectors in the response. */
export interface EmbeddingAdapter {
  readonly label: string;
  readonly redact: Redact;
  /** The largest number of texts in one call. */
  readonly batch: number;
  prepare(texts: readonly string[], purpose: EmbedOptions["purpose"]): Promise<Omit<HttpRequest, "signal">>;
  /** The vectors, in order. Throws `ModelCallError` for a malformed response. */
  read(answer: JsonObject): readonly Float32Array[];
}

/** A list of numbers as a vector. Throws `ModelCallError` for anything else. */
export function toVector(values: unknown): Float32Array {
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === "number"))
    return Float32Array.from(values);
  throw new ModelCallError("the answer holds no vector");
}
