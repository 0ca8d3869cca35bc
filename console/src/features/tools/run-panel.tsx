import type { JsonObject } from "@bufbuild/protobuf";
import type { ExecuteToolRequest, ExecuteToolResponse } from "@frontdesk/protos/ces/tool_service";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { type Refusal, toRefusal } from "../../api/refusal.ts";
import { appOf } from "../../api/resource-address.ts";
import { toolService } from "../../api/tool-service.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import { sampleArguments } from "./sample-arguments.ts";

type ToolIdentifier = Extract<ExecuteToolRequest["toolIdentifier"], { case: string }>;

interface RunPanelProps {
  readonly tool: ToolIdentifier;
  /** Changes when the tool does, so that its arguments are asked for again. */
  readonly etag: string;
  /** Changes are not saved yet; running saves them first. Resolves to whether that worked. */
  readonly save?: () => Promise<boolean>;
  readonly unsaved?: boolean;
}

interface Ran {
  readonly response: ExecuteToolResponse;
  readonly before: JsonObject;
  readonly milliseconds: number;
}

/** Runs a tool with arguments and variables written by hand, and shows what came of it. */
export function RunPanel({ tool, etag, save, unsaved = false }: RunPanelProps) {
  const parent = appOf(tool.case === "tool" ? tool.value : tool.value.toolset);
  const identity = tool.case === "tool" ? tool.value : `${tool.value.toolset}/${tool.value.toolId}`;
  const schema = useQuery({
    queryKey: ["toolSchema", identity, etag],
    queryFn: () => toolService.retrieveToolSchema({ parent, toolIdentifier: tool }),
    retry: false,
  });
  const [typedArguments, setArguments] = useState<string>();
  const [typedVariables, setVariables] = useState("{}");
  const [running, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [ran, setRan] = useState<Ran>();
  const written = typedArguments ?? JSON.stringify(sampleArguments(schema.data?.inputSchema), null, 2);
  const [args, variables] = [readObject(written), readObject(typedVariables)];
  const run = async () => {
    if (!args || !variables) return;
    setRunning(true);
    setRefusal(undefined);
    try {
      if (unsaved && save && !(await save())) return;
      const begun = performance.now();
      const response = await toolService.executeTool({
        parent,
        toolIdentifier: tool,
        args,
        toolExecutionContext: { case: "variables", value: variables },
      });
      setRan({ response, before: variables, milliseconds: Math.round(performance.now() - begun) });
    } catch (error) {
      setRan(undefined);
      setRefusal(toRefusal(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <section className="card stack" aria-label="Run">
      <h2>Run it</h2>
      {schema.error && <Banner tone="warning" refusal={toRefusal(schema.error)} />}
      <div className="two">
        <CodeEditor
          label="Arguments"
          language="json"
          low
          value={written}
          onChange={setArguments}
          error={args ? undefined : "Arguments are an object: { … }."}
        />
        <CodeEditor
          label="Variables before"
          language="json"
          low
          value={typedVariables}
          onChange={setVariables}
          error={variables ? undefined : "Variables are an object: { … }."}
        />
      </div>
      <div>
        <Button tone="primary" isDisabled={running || !args || !variables} onPress={() => void run()}>
          <Play size={15} aria-hidden="true" /> {running ? "Running …" : unsaved ? "Save and run" : "Run"}
        </Button>
      </div>
      {refusal && <Banner tone="bad" refusal={refusal} />}
      {ran && <Outcome ran={ran} />}
    </section>
  );
}

function Outcome({ ran: { response, before, milliseconds } }: { readonly ran: Ran }) {
  const told = response.response ?? {};
  const failed = "error" in told || told.status === "error";
  const after = response.variables ?? {};
  return (
    <div className="stack" role="status">
      <h3>
        {failed ? "It failed" : "It answered"} in {milliseconds.toLocaleString()} ms
      </h3>
      {failed && typeof told.error === "string" && <Banner tone="bad">{told.error}</Banner>}
      <CodeBlock text={JSON.stringify(told, null, 2)} label="the answer" wrapped />
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
