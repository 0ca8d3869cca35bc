import { anyIs, anyUnpack } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";
import type { Status } from "@frontdesk/protos/google/rpc/status";
import { Code, ConnectError, fieldViolationsOf } from "#status";
import { CommandError } from "../command.ts";
import { fileErrorText } from "../file-error.ts";

interface Violation {
  readonly field: string;
  readonly description: string;
}

/** A refusal of the server's code in this process as the error of a command; any other error as it is. */
export function commandErrorOf(error: unknown): unknown {
  return error instanceof ConnectError ? new CommandError(causeText(error) ?? refusalText(error)) : error;
}

/** Why the code failed, which has no log here that would say it; undefined for a refusal. */
function causeText({ code, cause }: ConnectError): string | undefined {
  if (code !== Code.Internal || !(cause instanceof Error)) return undefined;
  return fileErrorText(cause) ?? cause.message;
}

/** Why a server, or its code in this process, refused: one sentence, or one line for each thing that is wrong. */
export function refusalText(error: ConnectError): string {
  return listed(fieldViolationsOf(error)) ?? error.rawMessage;
}

/** The same of an operation that failed. */
export function failureText({ message, details }: Status): string {
  const violations = details
    .filter((detail) => anyIs(detail, BadRequestSchema))
    .flatMap((detail) => anyUnpack(detail, BadRequestSchema)?.fieldViolations ?? []);
  return listed(violations) ?? message;
}

/** Undefined where a sentence says it. */
function listed(violations: readonly Violation[]): string | undefined {
  if (violations.length < 2) return undefined;
  return faultsText(violations.map(({ field, description }) => `${field ? `${field}: ` : ""}${description}`));
}

/** What is wrong: one sentence as it is, several in a line each. */
export function faultsText(faults: readonly string[]): string {
  if (faults.length === 1) return faults[0] ?? "";
  return [`${faults.length} things are wrong:`, ...faults.map((fault) => `  ${fault}`)].join("\n");
}
