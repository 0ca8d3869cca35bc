import { testModules } from "./test-modules.ts";

/** Of each part of the language and its library, a module that is quick: all of them take minutes. */
const QUICK = [
  "test_bisect",
  "test_class",
  "test_decorators",
  "test_operator",
  "test_ordered_dict",
  "test_patma",
  "test_reprlib",
  "test_string",
  "test_textwrap",
  "test_tuple",
  "test_types",
];

testModules(QUICK, 1_000);
