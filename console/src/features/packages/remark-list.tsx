import { byFile } from "./package-remark.ts";
import "../../styles/edit/packages.css";

/** What an import found, by file and line. */
export function RemarkList({ warnings, label }: { readonly warnings: readonly string[]; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="warnings" aria-label={label} tabIndex={0}>
      {byFile(warnings).map(({ file, remarks }) => (
        <div key={file}>
          <h3>{file || "The package"}</h3>
          <ul>
            {remarks.map(({ line, field, text }) => (
              <li key={`${line}.${field}.${text}`}>
                {line > 0 && <b>Line {line}: </b>}
                {field && <code>{field}: </code>}
                {text}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
