import { testMutations } from "./test-mutations.ts";

testMutations(200);
