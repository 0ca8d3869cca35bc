// Has a command end quietly when nobody reads its output any more, as `frontdesk … | head` has it.

/** As shells say of programs that this stops: 128 and the number of SIGPIPE, which Node does not let stop it. */
const BROKEN_PIPE = 141;

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(BROKEN_PIPE);
});
