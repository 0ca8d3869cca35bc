import { useState } from "react";
import { Button } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";

/** Characters shown at first: a page stays quick whatever a tool has answered. */
const AT_FIRST = 20_000;

interface JsonViewProps {
  readonly value: unknown;
  readonly label?: string;
}

/** Any value as indented JSON, strings as they are; a long value is cut until the user asks for the rest. */
export function JsonView({ value, label = "JSON" }: JsonViewProps) {
  const [whole, setWhole] = useState(false);
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  if (text === undefined) return <p className="muted">Empty.</p>;
  const shown = whole ? text : text.slice(0, AT_FIRST);
  return (
    <div className="stack tight">
      <CodeBlock text={shown} wrapped label={label} />
      {shown.length < text.length && (
        <div>
          <Button small onPress={() => setWhole(true)}>
            Show all {text.length.toLocaleString("en")} characters
          </Button>
        </div>
      )}
    </div>
  );
}
