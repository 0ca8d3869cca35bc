import { interpret } from "./interpret.ts";
import type { Interpreter } from "./interpreter.ts";
import { tell } from "./tell/tell.ts";

/** The interpreter that needs no language model: rules over the words of the schema, the same answer each time. */
export const builtinInterpreter: Interpreter = { interpret, tell };
