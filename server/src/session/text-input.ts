import { create } from "@bufbuild/protobuf";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";

/** An input that is a text of the user. */
export function textInput(value: string): SessionInput {
  return create(SessionInputSchema, { inputType: { case: "text", value } });
}
