// The `frontdesk` command. It is evaluated for each command, and what it imports once in a process.
import { runCommandLine } from "./run-command-line.ts";

process.exitCode = await runCommandLine(process.argv.slice(2));
