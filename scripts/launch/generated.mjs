import { join } from "node:path";
import { ROOT, runStep } from "./progress.mjs";

/** Generates the protobuf code with the packages of this folder. */
export function generateCode(node, packages) {
  const args = [join(ROOT, "scripts", "generate.mjs"), `--packages=${packages}`];
  return runStep("generating code from the API definitions", node, args, {
    failure: "The API definitions could not be generated; the generator said:",
  });
}
