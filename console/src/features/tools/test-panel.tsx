import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Schema, Schema_Type } from "@frontdesk/protos/ces/schema";
import type { ExecuteToolRequest, ExecuteToolResponse } from "@frontdesk/protos/ces/tool_service";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { parentApp } from "../../api/resource-names.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { toolService } from "../../api/tool-client.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { CodeEditor } from "../code-editor/code-editor.tsx";

type ToolIdentifier = Extract<ExecuteToolRequest["toolIdentifier"], { case: string }>;

interface TestPanelProps {
  readonly tool: ToolIdentifier;
  /** Changes when the tool does, so that its parameters are fetched again. */
  readonly etag: string;
  /** Changes are not saved yet; running saves them first. Resolves to whether that worked. */
  readonly save?: () => Promise<boolean>;
  readonly unsaved?: boolean;
}

interface TestRun {
  readonly response: ExecuteToolResponse;
  readonly before: JsonObject;
  readonly milliseconds: number;
}

/** Runs a tool with arguments and variables written by hand, and shows what came of it. */
export function TestPanel({ tool, etag, save, unsaved = false }: TestPanelProps) {
  const parent = parentApp(tool.case === "tool" ? tool.value : tool.value.toolset);
  const identity = tool.case === "tool" ? tool.value : `${tool.value.toolset}/${tool.value.toolId}`;
  const schema = useQuery({
    queryKey: ["toolSchema", identity, etag],
    queryFn: () => toolService.retrieveToolSchema({ parent, toolIdentifier: tool }),
    retry: false,
  });
  const mayRun = useMay(parent)("ces.tools.execute");
  const [typedArguments, setArguments] = useState<string>();
  const [typedVariables, setVariables] = useState("{}");
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<StatusError>();
  const [testRun, setTestRun] = useState<TestRun>();
  const written = typedArguments ?? JSON.stringify(sampleArguments(schema.data?.inputSchema), null, 2);
  const [args, variables] = [readObject(written), readObject(typedVariables)];
  const run = async () => {
    if (!args || !variables) return;
    setRunning(true);
    setError(undefined);
    try {
      if (unsaved && save && !(await save())) return;
      const begun = performance.now();
      const response = await toolService.executeTool({
        parent,
        toolIdentifier: tool,
        args,
        toolExecutionContext: { case: "variables", value: variables },
      });
      setTestRun({ response, before: variables, milliseconds: Math.round(performance.now() - begun) });
    } catch (error) {
      setTestRun(undefined);
      setError(toStatusError(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <section className="card stack" aria-label="Test">
      <h2>Test</h2>
      {schema.error && <Banner tone="warning" error={toStatusError(schema.error)} />}
      <div className="two">
        <CodeEditor
          label="Arguments"
          language="json"
          low
          value={written}
          onChange={setArguments}
          readOnly={!mayRun}
          error={args ? undefined : "Enter a JSON object: { … }."}
        />
        <CodeEditor
          label="Variables"
          language="json"
          low
          value={typedVariables}
          onChange={setVariables}
          readOnly={!mayRun}
          error={variables ? undefined : "Enter a JSON object: { … }."}
        />
      </div>
      {!mayRun && <p className="muted">You may look at this tool, and not run it.</p>}
      <div>
        <Button tone="primary" isDisabled={!mayRun || running || !args || !variables} onPress={() => void run()}>
          <Play size={15} aria-hidden="true" /> {running ? "Running…" : unsaved ? "Save and run" : "Run"}
        </Button>
      </div>
      {error && <Banner tone="error" error={error} />}
      {testRun && <TestResult testRun={testRun} />}
    </section>
  );
}

function TestResult({ testRun: { response, before, milliseconds } }: { readonly testRun: TestRun }) {
  const output = response.response ?? {};
  const failed = "error" in output || output.status === "error";
  const after = response.variables ?? {};
  return (
    <div className="stack" role="status">
      <h3>
        {failed ? "Failed" : "Responded"} in {milliseconds.toLocaleString()} ms
      </h3>
      {failed && typeof output.error === "string" && <Banner tone="error">{output.error}</Banner>}
      <CodeBlock text={JSON.stringify(output, null, 2)} label="response" wrapped />
      <h3>Variables</h3>
      <DiffView
        label="Variables before and after"
        before={JSON.stringify(sorted(before), null, 2)}
        after={JSON.stringify(sorted({ ...before, ...after }), null, 2)}
      />
    </div>
  );
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).toSorted(([left], [right]) => left.localeCompare(right)));
}

function readObject(text: string): JsonObject | undefined {
  try {
    const json = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Initial arguments: every property of an object schema with an empty value of its type, or its default. */
function sampleArguments(schema: Schema | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, property]) => [name, sampleOf(property)]),
  );
}

function sampleOf({ type, enum: values, properties }: Schema): JsonValue {
  switch (type) {
    case Schema_Type.OBJECT:
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sampleOf(property)]));
    case Schema_Type.ARRAY:
      return [];
    case Schema_Type.BOOLEAN:
      return false;
    case Schema_Type.INTEGER:
    case Schema_Type.NUMBER:
      return 0;
    default:
      return values[0] ?? "";
  }
}
