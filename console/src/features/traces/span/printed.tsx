import { CodeBlock } from "../../../components/code-block.tsx";

/** What code printed and logged. */
export function Printed({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>Printed</h4>
      <CodeBlock text={lines.join("\n").replace(/\n$/, "")} wrapped label="what was printed" />
    </>
  );
}
