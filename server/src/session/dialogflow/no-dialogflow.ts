import { failedPrecondition } from "#status";
import type { DialogflowAgents } from "./contract.ts";

/** What answers where no operator has said that apps may use the server's Google identity for Dialogflow. */
export const NO_DIALOGFLOW: DialogflowAgents = {
  detectIntent: async ({ session }) => {
    const agent = session.replace(/\/(?:environments|sessions)\/.*$/, "");
    throw failedPrecondition(
      `The Dialogflow agent '${agent}' cannot be called: add the section 'dialogflow' to the server's configuration file.`,
      { reason: "DIALOGFLOW_NOT_CONFIGURED", metadata: { agent } },
    );
  },
};
