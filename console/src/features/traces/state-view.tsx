import { JsonView } from "../../components/json-view.tsx";
import { changesOf, type TurnState } from "./session-state.ts";
import "../../styles/traces/state.css";

/** The variables that a turn changed, what was and what is; the others below. */
export function StateView({ state }: { readonly state: TurnState }) {
  const changes = changesOf(state);
  return (
    <div className="stack tight">
      {changes.length === 0 ? (
        <p className="muted">No variables changed in this turn.</p>
      ) : (
        <dl className="state-diff">
          {changes.map(({ name, before, after }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <del>
                  <span className="visually-hidden">before: </span>
                  {before ?? "not set"}
                </del>
                <ins>
                  <span className="visually-hidden">after: </span>
                  {after ?? "not set"}
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <details>
        <summary>All variables before the turn</summary>
        <JsonView value={state.before} label="variables" />
      </details>
      <details>
        <summary>All variables after the turn</summary>
        <JsonView value={state.after} label="variables" />
      </details>
    </div>
  );
}
