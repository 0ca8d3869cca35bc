/// <reference path="./sealed/web-assembly.d.ts" />
/** Python in a sealed process: CPython 3.12 as WebAssembly, restored from a memory image, without authority. README.md shows how to use it. */
export type {
  EndedRun,
  GuestRuntime,
  HostFunction,
  HostFunctions,
  HttpCall,
  HttpReply,
  Logger,
  OutputLine,
  ProgramInput,
  PythonCall,
  PythonFrame,
  PythonFunctionInfo,
  PythonLimits,
  PythonModule,
  PythonOutcome,
  RunOptions,
  RunRecord,
  Sandbox,
  SandboxStatus,
  TextList,
} from "./contract.ts";
export { createSandbox, type SandboxOptions } from "./create-sandbox.ts";
export { type ShippedImage, writeImage } from "./image/write-image.ts";
export type { JsonArray, JsonObject, JsonValue } from "./json.ts";
export type { FindingStore } from "./kept-findings.ts";
export { lastItems } from "./list-pages.ts";
export { NotInspected } from "./not-inspected.ts";
