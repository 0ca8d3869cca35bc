import type { Requirement } from "./requirement.ts";

/** Tools by themselves: execution and schemas. */
export const TOOLS = {
  "execute-tool": {
    sentence: "ExecuteTool answers the tool's result and the variables afterwards, over their declared defaults",
    source: "tool_service.proto, PY-28, TOOL-23",
  },
  "execute-tool-context": {
    sentence: "ExecuteTool with a context lets the code see it",
    source: "tool_service.proto: context",
  },
  "execute-tool-bad-context": {
    sentence: "A context with values of the wrong type is INVALID_ARGUMENT naming each",
    source: "AIP-193",
  },
  "execute-tool-failure": {
    sentence: "What a tool does wrong is an error in the response: a missing parameter, an exception, a time-out",
    source: "TOOL-4, PY-31",
  },
  "execute-tool-mocks": {
    sentence: "Mocks answer the tools that the executed tool calls, by a pattern of their arguments",
    source: "mocks.proto, TOOL-21",
  },
  "execute-tool-unmatched": {
    sentence: "A call that no mock fits fails the execution or passes through, as the request says",
    source: "session_service.proto: MockConfig",
  },
  "execute-tool-elsewhere": {
    sentence: "Tools that the client or the engine runs are FAILED_PRECONDITION with the reason",
    source: "TOOL-8, TOOL-12",
  },
  "execute-tool-unknown": {
    sentence: "A tool that does not exist is NOT_FOUND, one of another app or none at all INVALID_ARGUMENT",
    source: "AIP-193",
  },
  "tool-schema": {
    sentence: "RetrieveToolSchema reads a Python tool's input and output from its signature",
    source: "tool_service.proto, PY-30",
  },
  "tool-schema-declared": {
    sentence: "RetrieveToolSchema answers the declared schemas of a client function and those of system tools",
    source: "tool_service.proto, TOOL-8",
  },
  "tool-schema-broken": {
    sentence: "RetrieveToolSchema of code that does not load is FAILED_PRECONDITION with the line",
    source: "AIP-193",
  },
  "toolset-tools": {
    sentence: "Tools of an unknown toolset are NOT_FOUND in all three methods",
    source: "AIP-193",
  },
} as const satisfies Readonly<Record<string, Requirement>>;
