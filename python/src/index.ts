/// <reference path="./sealed/web-assembly.d.ts" />
/** User Python in the sealed guest: CPython 3.12 as WebAssembly, restored from a memory image, in a process without authority. */
export type {
  HostCall,
  HostCallHandler,
  HostReply,
  Logger,
  OutputLine,
  PythonArgument,
  PythonCall,
  PythonContext,
  PythonFrame,
  PythonFunctionInfo,
  PythonLimits,
  PythonModule,
  PythonOutcome,
  RunOptions,
  Sandbox,
  SandboxStatus,
} from "./contract.ts";
export { createSandbox, type SandboxOptions } from "./create-sandbox.ts";
