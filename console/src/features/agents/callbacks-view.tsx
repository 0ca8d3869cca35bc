import { create } from "@bufbuild/protobuf";
import type { Agent } from "@frontdesk/protos/ces/agent";
import { CallbackSchema } from "@frontdesk/protos/ces/common";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { doesNotLoad } from "../../api/does-not-load.ts";
import { Badge } from "../../components/badge.tsx";
import { IconButton } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import type { Names } from "../code-editor/code-language.ts";
import { moveItem, removeItem } from "../message-form/list-items.ts";
import { codeProblemsAt, type ValidationError } from "../resources/validation-error.ts";
import { CallbackEditor } from "./callback-editor.tsx";
import { CALLBACK_STAGES, type CallbackStage } from "./callback-stages.ts";
import "../../styles/edit/side-list.css";

interface CallbacksViewProps {
  readonly agent: Agent;
  readonly onChange: (next: Agent) => void;
  readonly problems: readonly ValidationError[];
  readonly names: Names;
}

/** The callbacks of an agent: the six stages beside the one that is edited. The address names the open one. */
export function CallbacksView({ agent, onChange, problems, names }: CallbacksViewProps) {
  const navigate = useNavigate();
  const { at, line } = useSearch({ strict: false });
  const open = (path: string) => void navigate({ to: ".", search: { tab: "callbacks", at: path }, replace: true });
  const all = CALLBACK_STAGES.flatMap((stage) =>
    agent[stage.property].map((callback, index) => ({ stage, callback, index })),
  );
  const shown = all.find(({ stage, index }) => `${stage.path}[${index}]` === at) ?? all[0];
  const change = ({ property }: CallbackStage, list: readonly Agent[CallbackStage["property"]][number][]) =>
    onChange({ ...agent, [property]: list });
  const add = (stage: CallbackStage) => {
    const callback = create(CallbackSchema, { callback: { case: "pythonCode", value: stage.template } });
    change(stage, [...agent[stage.property], callback]);
    open(`${stage.path}[${agent[stage.property].length}]`);
  };
  return (
    <div className="split">
      <nav className="side-list" aria-label="Callbacks">
        {CALLBACK_STAGES.map((stage) => (
          <div key={stage.path}>
            <h2>
              {stage.label}
              <WhileEditing>
                <IconButton small label={`Add ${stage.label.toLowerCase()} callback`} onPress={() => add(stage)}>
                  <Plus size={15} aria-hidden="true" />
                </IconButton>
              </WhileEditing>
            </h2>
            {agent[stage.property].map((callback, index) => {
              const path = `${stage.path}[${index}]`;
              const found = codeProblemsAt(problems, path);
              return (
                <button
                  key={path}
                  type="button"
                  className="side-item"
                  aria-current={shown?.stage === stage && shown.index === index}
                  onClick={() => open(path)}
                >
                  <span>{callback.description || `${stage.label} ${index + 1}`}</span>
                  {callback.disabled && <Badge>Disabled</Badge>}
                  {found.length > 0 && <ProblemBadge problems={found} />}
                </button>
              );
            })}
          </div>
        ))}
      </nav>
      {shown ? (
        <CallbackEditor
          key={`${shown.stage.path}[${shown.index}]`}
          stage={shown.stage}
          index={shown.index}
          count={agent[shown.stage.property].length}
          callback={shown.callback}
          problems={codeProblemsAt(problems, `${shown.stage.path}[${shown.index}]`)}
          line={line}
          names={names}
          onChange={(next) =>
            change(
              shown.stage,
              agent[shown.stage.property].map((callback, index) => (index === shown.index ? next : callback)),
            )
          }
          onMove={(to) => {
            change(shown.stage, moveItem(agent[shown.stage.property], shown.index, to));
            open(`${shown.stage.path}[${to}]`);
          }}
          onRemove={() => change(shown.stage, removeItem(agent[shown.stage.property], shown.index))}
        />
      ) : (
        <EmptyState title="No callbacks yet">
          A callback is Python code that runs at one of six stages of a turn, to inspect, change or replace what the
          agent does. To add one, select + next to a stage.
        </EmptyState>
      )}
    </div>
  );
}

function ProblemBadge({ problems }: { readonly problems: ReturnType<typeof codeProblemsAt> }) {
  const broken = problems.some(({ text }) => doesNotLoad(text));
  return <Badge tone={broken ? "error" : "warning"}>{broken ? "Does not load" : problems.length}</Badge>;
}
