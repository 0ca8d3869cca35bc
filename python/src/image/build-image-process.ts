/** Entry of the process that builds the memory image: the folder to write, that of the embedder's program, that of the wheels and a seed, each empty if there is none. Prints only when it fails. */
import { buildImage } from "./build-image.ts";
import { makeReproducible } from "./reproducible-build.ts";
import { WheelFault } from "./wheels.ts";

const [, , folder, programFolder, wheelsFolder, seed] = process.argv;
if (!folder) throw new Error("the folder to write is missing");
if (seed) makeReproducible(seed);
try {
  await buildImage(folder, { programFolder: programFolder || undefined, wheelsFolder: wheelsFolder || undefined });
} catch (error) {
  if (!(error instanceof WheelFault)) throw error;
  process.stderr.write(error.message);
  process.exit(1);
}
process.exit(0); // the interpreter's start-up code may hold the event loop open
