// Ends a command whose output cannot be written: quietly when nobody reads it any more, as `frontdesk … | head` has it; else with the reason.
import { fileErrorText } from "../file-error.ts";

/** As shells say of programs that this stops: 128 and the number of SIGPIPE, which Node does not let stop it. */
const BROKEN_PIPE = 141;

/** Has the process end with this exit code when standard output fails, as on a full disk. */
export function endWhenOutputFails(exitCode: () => number): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(BROKEN_PIPE);
    const reason = fileErrorText(error) ?? error.message;
    process.stderr.write(`frontdesk: the output is not whole: ${reason}\n`);
    process.exit(exitCode());
  });
}
