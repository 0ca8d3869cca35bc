import type { Rule } from "./contract.ts";
import { ACTION_RULES, CALLBACK_RULES } from "./rules/callback-rules.ts";
import { CONFIG_RULES } from "./rules/config-rules.ts";
import { EVALUATION_RULES } from "./rules/evaluation-rules.ts";
import { INSTRUCTION_RULES } from "./rules/instruction-rules.ts";
import { PACKAGE_RULES } from "./rules/package-rules.ts";
import { SCHEMA_RULES } from "./rules/schema-rules.ts";
import { STRUCTURE_RULES } from "./rules/structure-rules.ts";
import { TOOL_RULES } from "./rules/tool-rules.ts";
import { UNUSED_RULES } from "./rules/unused-rules.ts";
import { VARIABLE_RULES } from "./rules/variable-rules.ts";

/** All rules, by id. docs/lint.md is made from this table. */
export const RULES: readonly Rule[] = [
  ...CONFIG_RULES,
  ...CALLBACK_RULES,
  ...EVALUATION_RULES,
  ...INSTRUCTION_RULES,
  ...STRUCTURE_RULES,
  ...TOOL_RULES,
  ...SCHEMA_RULES,
  ...VARIABLE_RULES,
  ...PACKAGE_RULES,
  ...ACTION_RULES,
  ...UNUSED_RULES,
];
