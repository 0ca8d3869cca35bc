/** Apps as agents that other agents talk to (Agent2Agent protocol): tasks over sessions, agent cards, push notifications. */
export { agentCard, type PublicAddress, signInCard } from "./card/agent-card.ts";
export type { A2aAgent, A2aCall, A2aTasks, CardSecurity } from "./contract.ts";
export { createA2aTasks } from "./tasks/create-tasks.ts";
