import type { RegisteredMethod } from "#rpc";

/** Another way to a method, below the revision; its body is that of the annotated rule. */
export interface DocumentedAlias {
  readonly httpMethod: string;
  readonly path: string;
}

/** Spellings of the API's own pages that its annotations do not have; programs that were written from the pages use them. */
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

/** How the documentation spells a method otherwise; undefined for most. */
export function documentedAlias({ method }: RegisteredMethod): DocumentedAlias | undefined {
  if (!method.parent.typeName.startsWith("google.cloud.geminidataanalytics.")) return undefined;
  return ALIASES[`${method.parent.name}.${method.name}`];
}
