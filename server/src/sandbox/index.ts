/** User Python with the classes of CX Agent Studio, in the sealed interpreter of the workspace `python/`. */
export {
  NotInspected,
  type OutputLine,
  type PythonFrame,
  type PythonFunctionInfo,
  type PythonLimits,
  type PythonModule,
} from "@frontdesk/sealed-python";
export type {
  HostCall,
  HostCallHandler,
  HostReply,
  JsonList,
  PythonArgument,
  PythonCall,
  PythonContext,
  PythonOutcome,
  RunOptions,
  Sandbox,
} from "./contract.ts";
export { createSandbox, type SandboxOptions } from "./create-sandbox.ts";
