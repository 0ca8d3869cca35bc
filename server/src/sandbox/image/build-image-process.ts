/** Entry of the process that builds the memory image: one argument, the folder to write. Prints only when it fails. */
import { buildImage } from "./build-image.ts";

const folder = process.argv[2];
if (!folder) throw new Error("the folder to write is missing");
await buildImage(folder);
process.exit(0); // the interpreter's start-up code may hold the event loop open
