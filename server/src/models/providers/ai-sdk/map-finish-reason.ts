import type { FinishReason } from "../../contract.ts";
import type { AiSdkFinishReason } from "./provider-interface.ts";

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool-calls",
  "content-filter": "safety",
};

/** The provider interface's finish reason in our words, and the provider's own. */
export function mapFinishReason(reason: AiSdkFinishReason): {
  readonly reason: FinishReason;
  readonly rawReason: string;
} {
  const unified = typeof reason === "string" ? reason : reason.unified;
  const raw = typeof reason === "string" ? reason : (reason.raw ?? reason.unified);
  return { reason: REASONS[unified] ?? "other", rawReason: raw };
}
