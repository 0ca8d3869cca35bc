import { create } from "@bufbuild/protobuf";
import { type EvaluationErrorInfo, EvaluationErrorInfoSchema } from "@frontdesk/protos/ces/evaluation";
import type { NotMeasured } from "../contract.ts";

/** Why something could not be measured, as results carry it. */
export function errorInfo({ type, message, session }: NotMeasured): EvaluationErrorInfo {
  return create(EvaluationErrorInfoSchema, {
    errorType: type,
    errorMessage: message,
    userFacingErrorMessage: message,
    sessionId: session,
  });
}
