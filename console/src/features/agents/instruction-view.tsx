import type { Agent } from "@frontdesk/protos/ces/agent";
import { useMemo } from "react";
import { errorAt } from "../../api/field-errors.ts";
import { TextField } from "../../components/field.tsx";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import type { Names } from "../code-editor/code-language.ts";
import { checkInstruction } from "../code-editor/instruction/check-instruction.ts";
import { useFormContext } from "../message-form/form-context.ts";

interface InstructionViewProps {
  readonly agent: Agent;
  readonly onChange: (next: Agent) => void;
  readonly names: Names;
  /** The lists that the names come from have not arrived yet; nothing is called unknown before. */
  readonly checked: boolean;
}

/** Name, description and instruction of an agent; the instruction is checked as it is typed. */
export function InstructionView({ agent, onChange, names, checked }: InstructionViewProps) {
  const { errors } = useFormContext();
  const problems = useMemo(
    () => (checked ? checkInstruction(agent.instruction, names) : []),
    [agent.instruction, names, checked],
  );
  return (
    <div className="stack">
      <div className="two">
        <TextField
          label="Name"
          value={agent.displayName}
          onChange={(displayName) => onChange({ ...agent, displayName })}
          error={errorAt(errors, "display_name")}
          required
        />
        <TextField
          label="Description"
          lines={2}
          value={agent.description}
          onChange={(description) => onChange({ ...agent, description })}
          hint="Other agents use this to decide when to transfer to this agent."
          error={errorAt(errors, "description")}
        />
      </div>
      <CodeEditor
        label="Instruction"
        language="instruction"
        value={agent.instruction}
        onChange={(instruction) => onChange({ ...agent, instruction })}
        names={names}
        problems={problems}
        error={errorAt(errors, "instruction")}
        hint="Type { to insert an agent, a tool or a variable."
      />
    </div>
  );
}
