import type { App } from "@frontdesk/protos/ces/app";
import { ProblemList } from "../resources/problem-list.tsx";
import { useAppProblems } from "./use-app-problems.ts";

/** What the server found wrong with an app, each with the way to the resource it is about. */
export function AppProblems({ app }: { readonly app: App }) {
  return <ProblemList problems={useAppProblems(app)} />;
}
