import { FileFault, type SourceFile } from "../../files/located.ts";

/** `manifest.json` of dbt, not the one of MetricFlow. */
export function isManifest(path: string): boolean {
  return /(^|[/\\])manifest\.json$/.test(path);
}

/** What is read of `manifest.json`. */
export interface DbtManifest {
  readonly metadata?: { readonly project_name?: unknown };
  readonly nodes?: Readonly<Record<string, DbtNode>>;
}

interface DbtNode {
  readonly resource_type?: string;
  readonly name?: string;
  readonly alias?: string;
  readonly database?: string;
  readonly schema?: string;
  readonly attached_node?: string;
  readonly column_name?: string;
  readonly test_metadata?: { readonly name?: string; readonly kwargs?: Readonly<Record<string, unknown>> };
}

/** It may have a hundred megabytes, of which nothing is told by line. */
export function parsedManifest({ path, text }: SourceFile): DbtManifest {
  try {
    return JSON.parse(text) as DbtManifest;
  } catch (error) {
    throw new FileFault(`${path}: ${(error as Error).message}`);
  }
}
