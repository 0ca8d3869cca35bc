import type { RegisteredMethod } from "#rpc";

/** Another path of a method, below the revision; its body is that of the annotated rule. */
interface DocumentedAlias {
  readonly httpMethod: string;
  readonly path: string;
}

/** Paths in the API's documentation that differ from its annotations; programs written from the documentation use them. */
const ALIASES: Readonly<Record<string, DocumentedAlias>> = {
  "DataAgentService.ListAccessibleDataAgents": {
    httpMethod: "GET",
    path: "/{parent=projects/*/locations/*}/dataAgents:listaccessible",
  },
  "DataChatService.QueryData": {
    httpMethod: "POST",
    path: "/{parent=projects/*/locations/*}/conversations:queryData",
  },
};

/** The documented path of a method that differs from its annotation; undefined for most. */
export function documentedAlias({ method }: RegisteredMethod): DocumentedAlias | undefined {
  if (!method.parent.typeName.startsWith("google.cloud.geminidataanalytics.")) return undefined;
  return ALIASES[`${method.parent.name}.${method.name}`];
}

/** Whether a path is such an alias. */
export function isDocumentedAlias(method: RegisteredMethod, template: string): boolean {
  const path = documentedAlias(method)?.path;
  return path !== undefined && template.endsWith(path);
}
