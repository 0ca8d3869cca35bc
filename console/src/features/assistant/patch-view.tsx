import { parsePatch, type StructuredPatch } from "diff";
import "../../styles/components/diff.css";

/** A unified diff of several files, each folded away until somebody looks; a single one is open. */
export function PatchView({ patch }: { readonly patch: string }) {
  const files = parsePatch(patch);
  return (
    <div className="stack tight">
      {files.map((file) => (
        <details key={nameOf(file)} className="patch-file" open={files.length === 1}>
          <summary>
            <code>{nameOf(file)}</code>
          </summary>
          <PatchLines file={file} />
        </details>
      ))}
    </div>
  );
}

function nameOf({ oldFileName = "", newFileName = "" }: StructuredPatch): string {
  return newFileName === "/dev/null" ? oldFileName : newFileName;
}

const KINDS: Readonly<Record<string, readonly [kind: string, sign: string, words: string]>> = {
  "+": ["added", "+", "added: "],
  "-": ["removed", "−", "removed: "],
  " ": ["same", " ", ""],
};

function PatchLines({ file }: { readonly file: StructuredPatch }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="diff" aria-label={`Changes of ${nameOf(file)}`} tabIndex={0}>
      <div className="diff-lines patch-lines">
        {file.hunks.flatMap(({ lines, newStart, oldStart }) =>
          lines.map((line, at) => {
            const [kind, sign, words] = KINDS[line[0] ?? " "] ?? ["gap", " ", ""];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a patch never changes
              <div key={`${oldStart}.${newStart}.${at}`} className={`diff-line ${kind}`}>
                <span className="diff-sign" aria-hidden="true">
                  {sign}
                </span>
                <span className="diff-text">
                  {words && <span className="visually-hidden">{words}</span>}
                  {line.slice(1) || " "}
                </span>
              </div>
            );
          }),
        )}
      </div>
    </section>
  );
}
