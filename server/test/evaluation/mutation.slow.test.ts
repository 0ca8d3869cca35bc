import { testMutations } from "./test-mutations.ts";

testMutations(30);
