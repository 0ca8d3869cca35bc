/** Entry of the process that builds the memory image: the folder to write, that of the embedder's program and that of the wheels, each empty if there is none. Prints only when it fails. */
import { buildImage } from "./build-image.ts";
import { WheelFault } from "./wheels.ts";

const [, , folder, programFolder, wheelsFolder] = process.argv;
if (!folder) throw new Error("the folder to write is missing");
try {
  await buildImage(folder, { programFolder: programFolder || undefined, wheelsFolder: wheelsFolder || undefined });
} catch (error) {
  if (!(error instanceof WheelFault)) throw error;
  process.stderr.write(error.message);
  process.exit(1);
}
process.exit(0); // the interpreter's start-up code may hold the event loop open
