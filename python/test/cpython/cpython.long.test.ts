import { CPYTHON_MODULES } from "./cpython-modules.ts";
import { testModules } from "./test-modules.ts";

testModules(Object.keys(CPYTHON_MODULES), 11_000);
