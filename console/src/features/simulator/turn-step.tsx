import { JsonView } from "../../components/json-view.tsx";
import { truncate } from "../../components/truncate.ts";
import { responseError } from "../traces/response-error.ts";
import type { TurnLine } from "./turn-lines.ts";
import "../../styles/simulator/steps.css";

interface TurnStepProps {
  readonly line: Extract<TurnLine, { kind: "tool" | "transfer" | "variables" }>;
}

/** Something an agent did between its words, in one line; tools and variables open to what went in and came out. */
export function TurnStep({ line }: TurnStepProps) {
  if (line.kind === "transfer")
    return (
      <p className="step transfer">
        <b>Transfer</b> <bdi>{line.from}</bdi> → <bdi>{line.to}</bdi>
      </p>
    );
  if (line.kind === "variables")
    return (
      <details className="step variables">
        <summary>
          <b>Variables</b> <span>{Object.keys(line.values).join(", ")}</span>
        </summary>
        <JsonView value={line.values} label="variables" />
      </details>
    );
  const error = responseError(line.response);
  return (
    <details className={error === undefined ? "step tool" : "step tool failed"}>
      <summary>
        <b>{line.name}</b> {error !== undefined && "failed "}
        <span>{truncate(JSON.stringify(line.args), 160)}</span>
        {error !== undefined && <span className="step-error">{truncate(error, 320)}</span>}
      </summary>
      <p className="step-title">Arguments</p>
      <JsonView value={line.args} label="arguments" />
      <p className="step-title">Response</p>
      {line.response ? <JsonView value={line.response} label="response" /> : <p className="muted">No response yet.</p>}
    </details>
  );
}
