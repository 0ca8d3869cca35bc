import {
  APP,
  CALLBACK,
  CALLBACK_FILE,
  type Changes,
  CLEAN,
  INSTRUCTION,
  json,
  LOOK_UP,
  ROOT,
  TOOL,
  TOOL_FILE,
} from "./clean-app.ts";

/** The smallest changes of the clean app that break a rule, and similar ones that do not. */
export interface RuleCase {
  readonly rule: string;
  readonly breaks: Changes;
  /** File and line of the finding. */
  readonly at: string;
  readonly keeps: Changes;
  /** What a fix makes of the file of the finding. */
  readonly fixed?: string;
}

export const ROOT_FILE = "agents/Root/Root.json";
export const INSTRUCTION_FILE = "agents/Root/instruction.txt";
export const LOOK_UP_FILE = "tools/look_up/look_up.json";

export const app = (fields: object): Changes => ({ "app.json": json({ ...APP, ...fields }) });
export const root = (fields: object): Changes => ({ [ROOT_FILE]: json({ ...ROOT, ...fields }) });
export const tool = (fields: object): Changes => ({ [LOOK_UP_FILE]: json({ ...LOOK_UP, ...fields }) });
export const instruction = (from: string, to: string): Changes => ({
  [INSTRUCTION_FILE]: INSTRUCTION.replace(from, to),
});
export const added = (text: string): Changes => ({ [INSTRUCTION_FILE]: INSTRUCTION + text });
export const callback = (from: string, to: string): Changes => ({ [CALLBACK_FILE]: CALLBACK.replace(from, to) });
export const code = (from: string, to: string): Changes => ({ [TOOL_FILE]: TOOL.replace(from, to) });

export const { name: _name, ...NAMELESS } = ROOT;
export const { rootAgent: _root, ...ROOTLESS } = APP;
export const HELPER_INSTRUCTION = CLEAN["agents/Helper/instruction.txt"];
export const REFERENCE = "Call {@TOOL: look_up}";
export const PYTHON = LOOK_UP.pythonFunction;
