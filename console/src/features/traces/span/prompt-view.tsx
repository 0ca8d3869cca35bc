import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { Badge } from "../../../components/badge.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { objectOf } from "../span-rows.ts";
import "../../../styles/traces/prompt.css";

/** Messages that are rendered at first: the newest. */
const MOST = 40;

/** A prompt exactly as it left for the model: system, messages, tools. */
export function PromptView({ prompt }: { readonly prompt: JsonObject }) {
  const { system, messages, tools, omitted, ...settings } = prompt;
  const all = listOf(messages);
  const left = Math.max(0, all.length - MOST) + Number(omitted ?? 0);
  const offered = listOf(tools);
  return (
    <div className="prompt">
      <details open>
        <summary>System prompt</summary>
        <CodeBlock text={String(system ?? "")} wrapped label="system prompt" />
      </details>
      <details open>
        <summary>
          Messages <Badge>{all.length + Number(omitted ?? 0)}</Badge>
        </summary>
        {left > 0 && <p className="muted">{left} older messages not shown.</p>}
        <ol className="prompt-messages">
          {all.slice(-MOST).map((message, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a prompt never change
            <li key={at}>
              <span className="speaker">{String(objectOf(message).role ?? "")}</span>
              <Parts parts={listOf(objectOf(message).parts)} />
            </li>
          ))}
        </ol>
      </details>
      <details>
        <summary>
          Tools <Badge>{offered.length}</Badge>
        </summary>
        {offered.map((tool) => (
          <details key={String(objectOf(tool).name)} className="prompt-tool">
            <summary>
              <code>{String(objectOf(tool).name)}</code>
            </summary>
            <JsonView value={tool} label="declaration" />
          </details>
        ))}
      </details>
      {Object.keys(settings).length > 0 && (
        <details>
          <summary>Settings</summary>
          <JsonView value={settings} label="settings" />
        </details>
      )}
    </div>
  );
}

/** The parts of a message: words as words, calls and results as JSON. */
export function Parts({ parts }: { readonly parts: readonly JsonValue[] }) {
  return parts.map((part, at) => {
    const { text, call, args, result, response, file, bytes } = objectOf(part);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change
      <div key={at} className="prompt-part">
        {text !== undefined && <p className="said-text">{String(text)}</p>}
        {call !== undefined && (
          <>
            <b>Function call: {String(call)}</b>
            <JsonView value={args} label="arguments" />
          </>
        )}
        {result !== undefined && (
          <>
            <b>Function response: {String(result)}</b>
            <JsonView value={response} label="result" />
          </>
        )}
        {file !== undefined && (
          <p>
            File, {String(file)}, {String(bytes)} bytes
          </p>
        )}
      </div>
    );
  });
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
