// For `--import` in a process that a test starts: what that loads of the server is bundled, as what the test itself loads.
import { loadBundled } from "./bundled-modules.mjs";

loadBundled(process.env.FRONTDESK_TEST_MODULES);
