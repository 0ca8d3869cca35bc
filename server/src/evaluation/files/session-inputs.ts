import { create } from "@bufbuild/protobuf";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import { eventOfText } from "../observation/event-text.ts";

/** The inputs of a turn of a file: variables, then what the user says or the event that happens; `welcome` when neither is given. */
export function sessionInputs(
  user: string | undefined,
  event: string | undefined,
  variables: JsonObject,
): readonly SessionInput[] {
  const named = user === undefined ? (event ?? "welcome") : eventOfText(user);
  const said = create(SessionInputSchema, {
    inputType: named === undefined ? { case: "text", value: user ?? "" } : { case: "event", value: { event: named } },
  });
  if (Object.keys(variables).length === 0) return [said];
  return [create(SessionInputSchema, { inputType: { case: "variables", value: variables } }), said];
}
