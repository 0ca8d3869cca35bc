/** Entry of the process that builds the memory image: the folder to write, and that of the wheels if there is one. Prints only when it fails. */
import { buildImage } from "./build-image.ts";

const [, , folder, wheelsFolder] = process.argv;
if (!folder) throw new Error("the folder to write is missing");
await buildImage(folder, wheelsFolder);
process.exit(0); // the interpreter's start-up code may hold the event loop open
