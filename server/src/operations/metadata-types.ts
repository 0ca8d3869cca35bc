import { createRegistry } from "@bufbuild/protobuf";
import { file_google_cloud_ces_v1beta_agent_service } from "@frontdesk/protos/ces/agent_service";
import { file_google_cloud_ces_v1beta_evaluation_service } from "@frontdesk/protos/ces/evaluation_service";
import { file_google_cloud_geminidataanalytics_v1beta_data_agent_service } from "@frontdesk/protos/gda/data_agent_service";
import type { MessageTypes } from "./metadata.ts";

/** The files whose methods are long-running: every metadata type that `google.longrunning.operation_info` names is in them. */
export const METADATA_TYPES: MessageTypes = createRegistry(
  file_google_cloud_ces_v1beta_agent_service,
  file_google_cloud_ces_v1beta_evaluation_service,
  file_google_cloud_geminidataanalytics_v1beta_data_agent_service,
);
