import type { Registry } from "#rpc";
import { INTERNAL_REVISION } from "#rpc";
import type { RestRule } from "../rest/http-rules.ts";

/** The service of the protocol, version 1.0. */
export const A2A_SERVICE = "lf.a2a.v1.A2AService";

/** The operations of the HTTP+JSON binding (a2a.proto; SubscribeToTask is a POST in the text of the specification). */
const OPERATIONS: readonly (readonly [method: string, httpMethod: string, path: string])[] = [
  ["SendMessage", "POST", "/message:send"],
  ["SendStreamingMessage", "POST", "/message:stream"],
  ["GetTask", "GET", "/tasks/{id=*}"],
  ["ListTasks", "GET", "/tasks"],
  ["CancelTask", "POST", "/tasks/{id=*}:cancel"],
  ["SubscribeToTask", "GET", "/tasks/{id=*}:subscribe"],
  ["SubscribeToTask", "POST", "/tasks/{id=*}:subscribe"],
  ["CreateTaskPushNotificationConfig", "POST", "/tasks/{task_id=*}/pushNotificationConfigs"],
  ["GetTaskPushNotificationConfig", "GET", "/tasks/{task_id=*}/pushNotificationConfigs/{id=*}"],
  ["ListTaskPushNotificationConfigs", "GET", "/tasks/{task_id=*}/pushNotificationConfigs"],
  ["DeleteTaskPushNotificationConfig", "DELETE", "/tasks/{task_id=*}/pushNotificationConfigs/{id=*}"],
  ["GetExtendedAgentCard", "GET", "/extendedAgentCard"],
];

/** The agent of an address: an app, a version, a deployment, or the agent for clients that name none (A2A-1). */
const APP = "projects/*/locations/*/apps/*";
const AGENTS = ["", `/{tenant=${APP}}`, `/{tenant=${APP}/versions/*}`, `/{tenant=${APP}/deployments/*}`];

/** Every operation of every agent, below `/a2a`. None when the protocol is not registered. */
export function a2aRules(registry: Pick<Registry, "find">): readonly RestRule[] {
  return OPERATIONS.flatMap(([name, httpMethod, path]) => {
    const method = registry.find(`/${A2A_SERVICE}/${name}`);
    if (!method) return [];
    const route = { method, revision: INTERNAL_REVISION, body: httpMethod === "POST" ? "*" : "", responseBody: "" };
    return AGENTS.map((agent) => ({ httpMethod, template: `/a2a${agent}${path}`, route }));
  });
}
