import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it, mock } from "node:test";
import { create, type Message, type MessageShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { AgentService, CreateAppRequestSchema, GetAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import {
  BidiSessionClientMessageSchema,
  RunSessionRequestSchema,
  SessionService,
} from "@frontdesk/protos/ces/session_service";
import { AgentService as AgentServiceV1 } from "@frontdesk/protos/ces-v1/agent_service";
import {
  GetOperationRequestSchema,
  ListOperationsRequestSchema,
  OperationSchema,
  Operations,
} from "@frontdesk/protos/google/longrunning/operations";
import { pino } from "pino";
import { Code, ConnectError, notFound } from "#status";
import { createCallContext, withValidateOnly } from "./call-context.ts";
import type { CallContext, RegisteredMethod, Registry, ServiceRegistration } from "./contract.ts";
import { defineService } from "./define-service.ts";
import { createRegistry, markValidateOnly } from "./registry.ts";

const clock = { now: () => 1_000 };

interface Line {
  readonly [name: string]: unknown;
}

function testRegistry(registrations: readonly ServiceRegistration[], maxDurationMs = 60_000) {
  const lines: Line[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)) as Line);
      done();
    },
  });
  const logger = pino({ base: null, timestamp: false }, sink);
  const registry = createRegistry(registrations, { clock, logger, maxDurationMs });
  const context = (init: Partial<CallContext> = {}): CallContext =>
    createCallContext(
      {
        signal: new AbortController().signal,
        revision: "v1beta",
        protocol: "memory",
        headers: new Map(),
        requestId: "r1",
        ...init,
      },
      logger,
    );
  return { registry, context, lines };
}

function methodAt(registry: Registry, path: string): RegisteredMethod {
  const method = registry.find(path);
  assert.ok(method, path);
  return method;
}

const GET_APP = "/google.cloud.ces.v1beta.AgentService/GetApp";
const request = create(GetAppRequestSchema, { name: "a" });

describe("createRegistry", () => {
  it("registers a method once for every revision that has it", () => {
    const { registry } = testRegistry([
      defineService(AgentService, [AgentServiceV1], { getApp: async ({ name }) => ({ name }) }),
    ]);
    const method = methodAt(registry, "/google.cloud.ces.v1.AgentService/GetApp");
    assert.deepEqual(
      [method.revision, method.internalMethod, method.method, method.implemented],
      ["v1", AgentService.method.getApp, AgentServiceV1.method.getApp, true],
    );
    assert.equal(registry.find("/google.cloud.ces.v1.AgentService/GetSecuritySettings"), undefined);
    assert.equal(methodAt(registry, "/google.cloud.ces.v1beta.AgentService/GetSecuritySettings").implemented, false);
  });

  it("answers UNIMPLEMENTED by name when a handler is missing", async () => {
    const { registry, context } = testRegistry([defineService(AgentService, [], {})]);
    await assert.rejects(registry.unary(methodAt(registry, GET_APP), request, context()), {
      code: Code.Unimplemented,
      rawMessage: "Method google.cloud.ces.v1beta.AgentService.GetApp is not implemented by this server.",
    });
  });

  it("completes a partial response", async () => {
    const { registry, context } = testRegistry([
      defineService(AgentService, [], { getApp: async ({ name }) => ({ name }) }),
    ]);
    assert.deepEqual(
      await registry.unary(methodAt(registry, GET_APP), request, context()),
      create(AppSchema, { name: "a" }),
    );
  });

  it("rejects a request that lacks REQUIRED fields before the handler is called", async () => {
    const getApp = mock.fn(async () => ({}));
    const { registry, context } = testRegistry([defineService(AgentService, [], { getApp })]);
    await assert.rejects(registry.unary(methodAt(registry, GET_APP), create(GetAppRequestSchema), context()), {
      code: Code.InvalidArgument,
      rawMessage: "name: Required field is not set.",
    });
    assert.equal(getApp.mock.callCount(), 0);
  });

  it("validates a validateOnly call, and calls only handlers that support it", async () => {
    const called: string[] = [];
    const implementation = {
      getApp: async ({ name }: { name: string }) => {
        called.push(`get ${name}`);
        return {};
      },
      createApp: markValidateOnly(async (_: unknown, { validateOnly }: CallContext) => {
        called.push(`create, validateOnly ${validateOnly}`);
        return {};
      }),
    };
    const { registry, context } = testRegistry([{ service: AgentService, implementation }]);
    const onlyCheck = withValidateOnly(context());
    const getApp = methodAt(registry, "/google.cloud.ces.v1beta.AgentService/GetApp");
    const createApp = methodAt(registry, "/google.cloud.ces.v1beta.AgentService/CreateApp");
    await registry.unary(getApp, create(GetAppRequestSchema, { name: "projects/p" }), onlyCheck);
    await assert.rejects(registry.unary(getApp, create(GetAppRequestSchema), onlyCheck), {
      code: Code.InvalidArgument,
    });
    const request = create(CreateAppRequestSchema, { parent: "projects/p/locations/l", app: { displayName: "a" } });
    await registry.unary(createApp, request, onlyCheck);
    assert.deepEqual(called, ["create, validateOnly true"]);
  });

  it("checks every message of a bidirectional stream", async () => {
    const bidiRunSession = async function* (messages: AsyncIterable<unknown>) {
      for await (const _ of messages) yield {};
    };
    const { registry, context } = testRegistry([defineService(SessionService, [], { bidiRunSession })]);
    const messages = async function* () {
      yield create(BidiSessionClientMessageSchema, { messageType: { case: "config", value: { session: "s" } } });
      yield create(BidiSessionClientMessageSchema, { messageType: { case: "config", value: {} } });
    };
    const answers: Message[] = [];
    await assert.rejects(
      async () => {
        for await (const answer of registry.stream(
          methodAt(registry, "/google.cloud.ces.v1beta.SessionService/BidiRunSession"),
          messages(),
          context(),
        ))
          answers.push(answer);
      },
      { code: Code.InvalidArgument, rawMessage: "config.session: Required field is not set." },
    );
    assert.equal(answers.length, 1);
  });
});

describe("the request log", () => {
  it("has one line per call, with method, protocol, revision, code, time and request id", async () => {
    const { registry, context, lines } = testRegistry([
      defineService(AgentService, [AgentServiceV1], { getApp: async ({ name }) => ({ name }) }),
    ]);
    await registry.unary(
      methodAt(registry, "/google.cloud.ces.v1.AgentService/GetApp"),
      request,
      context({ revision: "v1", protocol: "rest" }),
    );
    assert.deepEqual(lines, [
      {
        level: 30,
        method: "google.cloud.ces.v1.AgentService.GetApp",
        protocol: "rest",
        revision: "v1",
        requestId: "r1",
        code: "OK",
        ms: 0,
        msg: "request",
      },
    ]);
  });

  it("names the code and message of an error", async () => {
    const getApp = async () => Promise.reject(notFound("a"));
    const { registry, context, lines } = testRegistry([defineService(AgentService, [], { getApp })]);
    await assert.rejects(registry.unary(methodAt(registry, GET_APP), request, context()), { code: Code.NotFound });
    assert.deepEqual(
      lines.map(({ level, code, error }) => ({ level, code, error })),
      [{ level: 30, code: "NOT_FOUND", error: "Resource 'a' was not found." }],
    );
  });

  it("keeps the cause and the stack of an internal error, which the caller does not see", async () => {
    const getApp = async () => Promise.reject(new Error("disk on fire"));
    const { registry, context, lines } = testRegistry([defineService(AgentService, [], { getApp })]);
    await assert.rejects(registry.unary(methodAt(registry, GET_APP), request, context()), {
      code: Code.Internal,
      rawMessage: "Internal error. The server's log has the details.",
    });
    const [line] = lines as [{ level: number; err: { message: string; stack: string } }];
    assert.equal(line.level, 50);
    assert.equal(line.err.message, "disk on fire");
    assert.match(line.err.stack, /registry\.test\.ts/);
  });

  it("logs CANCELLED when the reader of a stream leaves", async () => {
    const streamRunSession = async function* () {
      for (;;) yield {};
    };
    const { registry, context, lines } = testRegistry([defineService(SessionService, [], { streamRunSession })]);
    const run = create(RunSessionRequestSchema, { config: { session: "s" }, inputs: [{}] });
    for await (const _ of registry.stream(
      methodAt(registry, "/google.cloud.ces.v1beta.SessionService/StreamRunSession"),
      run,
      context(),
    ))
      break;
    assert.deepEqual(
      lines.map(({ code }) => code),
      ["CANCELLED"],
    );
  });
});

describe("the time limit", () => {
  const hang = () => {
    const seen = Promise.withResolvers<CallContext>();
    const getApp = (_: unknown, context: CallContext) => {
      seen.resolve(context);
      return new Promise<never>(() => {});
    };
    return { seen: seen.promise, registration: defineService(AgentService, [], { getApp }) };
  };

  it("fails with DEADLINE_EXCEEDED at the client's deadline, and aborts the handler's signal", async () => {
    const { seen, registration } = hang();
    const { registry, context } = testRegistry([registration]);
    await assert.rejects(registry.unary(methodAt(registry, GET_APP), request, context({ deadline: 1_005 })), {
      code: Code.DeadlineExceeded,
    });
    const { signal, deadline } = await seen;
    assert.deepEqual([signal.aborted, deadline], [true, 1_005]);
  });

  it("is the server's own when the client has none or a later one", async () => {
    const { seen, registration } = hang();
    const { registry, context } = testRegistry([registration], 5);
    await assert.rejects(registry.unary(methodAt(registry, GET_APP), request, context({ deadline: 9_999_999 })), {
      code: Code.DeadlineExceeded,
    });
    assert.equal((await seen).deadline, 1_005);
  });

  it("fails with CANCELLED when the client disconnects", async () => {
    const { seen, registration } = hang();
    const { registry, context } = testRegistry([registration]);
    const client = new AbortController();
    const call = registry.unary(methodAt(registry, GET_APP), request, context({ signal: client.signal }));
    const { signal } = await seen;
    client.abort();
    await assert.rejects(call, { code: Code.Canceled });
    assert.ok(signal.reason instanceof ConnectError && signal.reason.code === Code.Canceled);
  });

  it("stops a stream that waits, and lets its handler clean up", async () => {
    const cleaned = Promise.withResolvers<void>();
    const streamRunSession = async function* (_: unknown, { signal }: CallContext) {
      try {
        yield {};
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      } finally {
        cleaned.resolve();
      }
    };
    const { registry, context } = testRegistry([defineService(SessionService, [], { streamRunSession })], 5);
    const run = create(RunSessionRequestSchema, { config: { session: "s" }, inputs: [{}] });
    let count = 0;
    await assert.rejects(
      async () => {
        for await (const _ of registry.stream(
          methodAt(registry, "/google.cloud.ces.v1beta.SessionService/StreamRunSession"),
          run,
          context(),
        ))
          count++;
      },
      { code: Code.DeadlineExceeded },
    );
    await cleaned.promise;
    assert.equal(count, 1);
  });
});

describe("operations of several revisions", () => {
  const operation = (name: string) =>
    create(OperationSchema, {
      name,
      done: true,
      result: { case: "response", value: anyPack(AppSchema, create(AppSchema, { name: "a" })) },
    });
  const registrations = [
    defineService(AgentService, [AgentServiceV1], {}),
    defineService(Operations, [], {
      getOperation: async ({ name }) => operation(name),
      listOperations: async () => ({ operations: [operation("p/operations/v1-old"), operation("p/operations/new")] }),
    }),
  ];
  const typeOf = (message: Message) => {
    const { result } = message as MessageShape<typeof OperationSchema>;
    return result.case === "response" ? result.value.typeUrl : undefined;
  };
  const GET = "/google.longrunning.Operations/GetOperation";

  it("have the types of the revision in their name over gRPC, which names none (WIRE-61)", async () => {
    const { registry, context } = testRegistry(registrations);
    const [old, other] = ["p/operations/v1-old", "p/operations/new"];
    const get = (name: string) =>
      registry.unary(
        methodAt(registry, GET),
        create(GetOperationRequestSchema, { name }),
        context({ protocol: "grpc" }),
      );
    assert.equal(typeOf(await get(old)), "type.googleapis.com/google.cloud.ces.v1.App");
    assert.equal(typeOf(await get(other)), "type.googleapis.com/google.cloud.ces.v1beta.App");
    const list = await registry.unary(
      methodAt(registry, "/google.longrunning.Operations/ListOperations"),
      create(ListOperationsRequestSchema, { name: "p" }),
      context({ protocol: "grpc" }),
    );
    assert.deepEqual((list as Message & { operations: Message[] }).operations.map(typeOf), [
      "type.googleapis.com/google.cloud.ces.v1.App",
      "type.googleapis.com/google.cloud.ces.v1beta.App",
    ]);
  });

  it("have the types of the revision in the path over REST", async () => {
    const { registry, context } = testRegistry(registrations);
    const answer = await registry.unary(
      methodAt(registry, GET),
      create(GetOperationRequestSchema, { name: "new" }),
      context({ protocol: "rest", revision: "v1" }),
    );
    assert.equal(typeOf(answer), "type.googleapis.com/google.cloud.ces.v1.App");
  });
});
