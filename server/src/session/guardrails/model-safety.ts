import {
  Guardrail_ModelSafety_HarmCategory as Category,
  type Guardrail_ModelSafety,
  Guardrail_ModelSafety_HarmBlockThreshold as Threshold,
} from "@frontdesk/protos/ces/guardrail";
import type { GuardrailCheck } from "./guardrail-kind.ts";

/** Sets the model's safety settings (GUARD-13); an answer that it stops for them triggers the guardrail (proto comment of `ModelSafety`). */
export function modelSafety({ safetySettings }: Guardrail_ModelSafety): GuardrailCheck {
  return {
    stages: new Set(),
    problems: [],
    safetySettings: safetySettings.flatMap(({ category, threshold }) =>
      category === Category.UNSPECIFIED || threshold === Threshold.HARM_BLOCK_THRESHOLD_UNSPECIFIED
        ? []
        : [{ category: `HARM_CATEGORY_${Category[category]}`, threshold: Threshold[threshold] }],
    ),
  };
}
