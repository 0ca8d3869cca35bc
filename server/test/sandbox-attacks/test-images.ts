import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where tests keep the Python image: all test files of all runs share one build. */
export const TEST_IMAGES = join(tmpdir(), "frontdesk-test-cache");
