/** Entry of the process that builds the memory image: the folder to write, and that of the wheels if there is one. Prints only when it fails. */
import { buildImage } from "./build-image.ts";
import { WheelFault } from "./wheels.ts";

const [, , folder, wheelsFolder] = process.argv;
if (!folder) throw new Error("the folder to write is missing");
try {
  await buildImage(folder, wheelsFolder);
} catch (error) {
  if (!(error instanceof WheelFault)) throw error;
  process.stderr.write(error.message);
  process.exit(1);
}
process.exit(0); // the interpreter's start-up code may hold the event loop open
