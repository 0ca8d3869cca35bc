import { PythonFunctionSchema } from "@frontdesk/protos/ces/python_function";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { useSearch } from "@tanstack/react-router";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import type { CodeProblem, Names } from "../code-editor/code-language.ts";
import { MessageForm } from "../message-form/message-form.tsx";

interface PythonViewProps {
  readonly tool: Tool;
  readonly onChange: (next: Tool) => void;
  readonly problems: readonly CodeProblem[];
  readonly names: Names;
}

/** The code of a Python tool, and which of its functions is called. */
export function PythonView({ tool, onChange, problems, names }: PythonViewProps) {
  const { line } = useSearch({ strict: false });
  if (tool.toolType.case !== "pythonFunction") return null;
  const { value } = tool.toolType;
  const change = (next: typeof value) => onChange({ ...tool, toolType: { case: "pythonFunction", value: next } });
  return (
    <div className="stack">
      <CodeEditor
        label="Python"
        language="python"
        value={value.pythonCode}
        onChange={(pythonCode) => change({ ...value, pythonCode })}
        problems={problems}
        names={names}
        line={line}
        hint="The model reads the docstring. The server validates the code when you save."
      />
      <MessageForm
        desc={PythonFunctionSchema}
        value={value}
        onChange={change}
        path="python_function"
        only={["name", "service_directory_config"]}
      />
    </div>
  );
}
