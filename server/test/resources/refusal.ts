import { BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";
import { Code, ConnectError } from "#status";

/** A refusal as tests compare it: the code's name, and the violations, or else the message. */
export type Refusal =
  | { readonly code: string; readonly violations: Record<string, string> }
  | { readonly code: string; readonly message: string };

/** What a call was refused with. Fails when it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
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
  throw new Error("the call was not refused");
}
