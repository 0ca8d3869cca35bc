import type { JsonObject } from "@bufbuild/protobuf";

/** Python of a fake that answers this, whatever it is called with. The answer is a text literal, so nothing in it is code. */
export function mockCode(result: JsonObject): string {
  const literal = JSON.stringify(JSON.stringify(result));
  return `import json\n\n\ndef fake_tool_call(tool, input, callback_context):\n    return json.loads(${literal})\n`;
}
