import { BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";
import { Code, ConnectError } from "#status";

/** A status error in comparable form: the code's name, and the violations by field, or else the message. */
type ComparableError =
  | { readonly code: string; readonly violations: Record<string, string> }
  | { readonly code: string; readonly message: string };

/** The status error of a call. Throws when the call succeeds. */
export async function statusErrorOf(call: Promise<unknown>): Promise<ComparableError> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const [violations] = error.findDetails(BadRequestSchema);
    if (!violations) return { code: Code[error.code], message: error.rawMessage };
    return {
      code: Code[error.code],
      violations: Object.fromEntries(violations.fieldViolations.map(({ field, description }) => [field, description])),
    };
  }
  throw new Error("the call succeeded");
}
