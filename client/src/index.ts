export type { ItemOf, ListMethod } from "./all-items.ts";
export { type ClientOptions, createFrontdeskClient, type FrontdeskClient } from "./client.ts";
export type { WaitOptions } from "./operations.ts";
export type { Services, ServicesV1 } from "./services.ts";
