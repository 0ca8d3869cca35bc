import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runStep, stopping } from "./progress.mjs";

/** Where the server finds an image that was built before it starts. */
const IMAGES = join(ROOT, "server", "python-image");

/**
 * Builds the image of Python where none was built yet. The server builds what it lacks, also after a change of the sources; beside the
 * generation of code it takes no time of its own.
 */
export async function buildPythonImage(node) {
  if (existsSync(IMAGES)) return;
  const program = join(ROOT, "server", "src", "sandbox", "build-image.ts");
  try {
    await runStep("building the Python image", node, ["--no-warnings", program], {
      failure: "The Python image could not be built; the builder said:",
    });
  } catch (error) {
    rmSync(IMAGES, { recursive: true, force: true, maxRetries: 20 });
    if (stopping.signal.aborted) throw error;
    process.stderr.write(`frontdesk: ${error.message}\nfrontdesk: the server tries again.\n`);
  }
}
