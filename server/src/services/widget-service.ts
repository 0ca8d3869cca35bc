import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import { WidgetService as WidgetServiceV1 } from "@frontdesk/protos/ces-v1/widget_service";
import { defineService, type ServiceRegistration } from "#rpc";

/** Tokens for the chat widget, as `google.cloud.ces.v1beta.WidgetService`. Tokens need identities, so the method answers UNIMPLEMENTED. */
export function createWidgetService(): ServiceRegistration {
  return defineService(WidgetService, [WidgetServiceV1], {});
}
