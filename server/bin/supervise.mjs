// How the command and the launcher run a server as a process of its own. Plain JavaScript for Node 18 and up.

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Commands that serve until they are stopped. */
export const SERVING = new Set(["start", "dev"]);

/**
 * `stdio` of such a command: the terminal, and a channel. The system closes it when this process is gone, also when it was killed, and the server ends as it
 * does at a signal. Other commands end by themselves.
 */
export const SUPERVISED = ["inherit", "inherit", "inherit", "ipc"];

/** Ends this process as a signal ended its child, so that a shell ends the loop that both are in at Ctrl-C; where it cannot, with exit code 1. */
export function endBy(signal) {
  process.exitCode = 1;
  if (!SIGNALS.includes(signal)) return;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Passes on to a child what this process is told, and to who started this process what the child says. */
export function supervise(child) {
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  if (!child.channel) return;
  child.on("message", (message) => {
    if (process.connected) process.send(message, undefined, undefined, () => {});
  });
  const letGo = () => {
    if (child.connected) child.disconnect();
  };
  process.on("disconnect", letGo);
  // The listener alone would keep this process alive when the child has ended.
  process.channel?.unref();
  if (process.connected === false) letGo();
}
