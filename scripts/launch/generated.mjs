import { join } from "node:path";
import { isGenerated } from "../generate.mjs";
import { ROOT, runStep } from "./progress.mjs";

/** Generates the protobuf code when its inputs changed. */
export async function ensureGenerated(node) {
  if (isGenerated()) return;
  await runStep("generating code from the API definitions", node, [join(ROOT, "scripts", "generate.mjs")], {
    failure: "The API definitions could not be generated; the generator said:",
  });
}
