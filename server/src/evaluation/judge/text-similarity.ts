import { createHash } from "node:crypto";
import type { EmbeddingModel } from "#models";
import type { ByteCache } from "../suite/run-suite.ts";

/** How near two texts are in meaning. */
export interface TextSimilarity {
  /** The cosine of their embeddings, -1 to 1. Rejects with the status error of the provider. */
  cosine(one: string, other: string, signal: AbortSignal): Promise<number>;
}

/** Compares texts by an embedding model. A comparison is kept by model and texts, so that the same one is made once. */
export function createTextSimilarity(model: EmbeddingModel, kept: ByteCache): TextSimilarity {
  return {
    cosine: async (one, other, signal) => {
      const digest = createHash("sha256")
        .update(JSON.stringify([model.label, one, other]))
        .digest("hex");
      const key = `evaluation/similarities/${digest}`;
      const before = await kept.get(key);
      if (before) return Number(Buffer.from(before).toString("utf8"));
      const [left, right] = await model.embed([one, other], { purpose: "document", signal });
      const cosine = left && right ? cosineOf(left, right) : 0;
      await kept.put(key, Buffer.from(String(cosine)));
      return cosine;
    },
  };
}

/** 0 where one has no direction. */
function cosineOf(left: Float32Array, right: Float32Array): number {
  let [product, ofLeft, ofRight] = [0, 0, 0];
  for (const [at, value] of left.entries()) {
    const beside = right[at] ?? 0;
    product += value * beside;
    ofLeft += value * value;
    ofRight += beside * beside;
  }
  return ofLeft === 0 || ofRight === 0 ? 0 : product / Math.sqrt(ofLeft * ofRight);
}
