import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { ExportAppRequest, ExportAppResponse, ImportAppRequest, ImportAppResponse } from "@frontdesk/protos/ces/agent_service";

/**
 * Create, Get, List, Update, Delete of any resource, driven by the method's descriptor and the resource's annotations.
 * LRO-typed methods (CreateApp, DeleteApp) answer the bare resource or Empty here; the service wraps them in an operation.
 */
export interface StandardMethods {
  /** Whether the method is a standard one this room can serve. */
  handles(method: DescMethod): boolean;
  invoke(method: DescMethod, request: Message): Promise<Message>;
}

/** What a session runs: the draft, or the version that a deployment pins. */
export interface AppSnapshots {
  /**
   * The snapshot of an app as it is now. Cached until the app changes: equal `generation` = same object.
   * Throws NOT_FOUND for an unknown app.
   */
  draft(app: string): Promise<{ readonly snapshot: AppSnapshot; readonly generation: string }>;
  /** The snapshot that a version froze. */
  version(name: string): Promise<{ readonly snapshot: AppSnapshot; readonly generation: string }>;
}

/** Import and export of app packages (reference: app-package). */
export interface AppPackages {
  /** Imports a zip; nothing is written when it is refused. */
  importApp(request: ImportAppRequest): Promise<ImportAppResponse>;
  exportApp(request: ExportAppRequest): Promise<ExportAppResponse>;
}

export interface Resources {
  readonly standard: StandardMethods;
  readonly snapshots: AppSnapshots;
  readonly packages: AppPackages;
}
