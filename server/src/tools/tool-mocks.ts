import {
  type MockConfig,
  MockConfig_UnmatchedToolCallBehavior as Unmatched,
} from "@frontdesk/protos/ces/session_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { collapseUnderscores, isJsonObject, type JsonObject } from "#base";
import type { ToolMocks } from "./contract.ts";
import { matchesPattern } from "./match-arguments.ts";
import { toolError } from "./outcomes.ts";
import { toolName } from "./tool-name.ts";

/** Mocks that record the calls without a matching mock, where every call needs one. */
interface RecordedMocks extends ToolMocks {
  /** One sentence for each call. */
  readonly unmatched: readonly string[];
}

/**
 * The mocks of a request. The first mock whose tool and pattern match a call gives the response, unchanged (TOOL-21). A call without a match
 * fails or goes to the real tool, as the request configures (mocks.proto, session_service.proto: MockConfig).
 */
export function createToolMocks({ mockedToolCalls, unmatchedToolCallBehavior }: MockConfig): RecordedMocks {
  const unmatched: string[] = [];
  return {
    unmatched,
    answer: (tool, args) => {
      const find = (spell: (name: string) => string) =>
        mockedToolCalls.find(
          (mock) => isMockOf(mock, tool, spell) && matchesPattern(args, objectOf(mock.expectedArgsPattern)),
        );
      const mock = find((name) => name) ?? find(collapseUnderscores);
      if (mock) return objectOf(mock.mockResponse);
      if (unmatchedToolCallBehavior === Unmatched.PASS_THROUGH) return undefined;
      const problem = `No mock matches the call of tool '${toolName(tool)}' with ${JSON.stringify(args)}.`;
      unmatched.push(problem);
      return toolError(problem);
    },
  };
}

/** Whether a mock is for a tool, both in one spelling. A toolset without a tool id means all its tools; older clients send `tool`. */
function isMockOf(
  { toolIdentifier, tool }: MockConfig["mockedToolCalls"][number],
  { name }: Tool,
  spell: (name: string) => string,
): boolean {
  const isNamed = (mocked: string) => spell(mocked) === spell(name);
  if (toolIdentifier.case === "toolId") return isNamed(toolIdentifier.value);
  if (toolIdentifier.case !== "toolset") return isNamed(tool);
  const { toolset, toolId } = toolIdentifier.value;
  return toolId === "" ? name.startsWith(`${toolset}/tools/`) : isNamed(`${toolset}/tools/${toolId}`);
}

function objectOf(value: JsonObject | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
