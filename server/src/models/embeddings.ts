import type { JsonObject } from "#base";
import type { HttpRequest } from "./http-call.ts";
import type { Redact } from "./redact.ts";

/** A model that turns texts into vectors that lie near each other when they mean the same. */
export interface EmbeddingModel {
  /** Provider and model; vectors of different labels are not comparable. */
  readonly label: string;
  /** One vector a text, in order. Throws a refusal of `status/` after the provider's retries are used up. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** What the vectors are for: some models place a question and its answer differently. */
export interface EmbedOptions {
  readonly purpose: "document" | "query";
  readonly signal: AbortSignal;
}

/** How one provider is asked for vectors, and how its answer is read. */
export interface EmbeddingWire {
  readonly label: string;
  readonly redact: Redact;
  /** Most texts that one call takes. */
  readonly batch: number;
  prepare(texts: readonly string[], purpose: EmbedOptions["purpose"]): Promise<Omit<HttpRequest, "signal">>;
  /** The vectors, in order. Throws `CallFailure` for an answer that makes no sense. */
  read(answer: JsonObject): readonly Float32Array[];
}
