import { type AttackedSandbox, readAttackCases, tenantProbe, tryAttacks } from "@frontdesk/sealed-python/attacks";
import { createLogger } from "#base";
import { createSandbox, type HostCallHandler } from "#sandbox";
import { TEST_CACHE } from "#testing/engine";

/** The product's classes and globals under attack; what attacks the sandbox itself is in `python/test/attacks`. */
tryAttacks("hostile code among the platform's classes", openAttacked, readAttackCases(import.meta.dirname));

const PROBE = tenantProbe({
  classes: [
    ...["Part", "Content", "Blob", "Event", "LlmRequest", "LlmResponse", "CallbackContext", "ToolContext", "Tool"],
    ...["ExternalResponse", "type(ces_requests)"],
  ],
  works: 'str(Part.from_text("x").text)',
  volatile: ["agent_code", "context", "get_variable", "set_variable", "remove_variable", "tools", "async_tools"],
});

const CONTEXT = { invocationId: "i", agentName: "a", sessionId: "s", state: {}, userContent: null, events: [] };

function openAttacked(): AttackedSandbox {
  const logger = createLogger("silent");
  const sandbox = createSandbox({ dataDir: TEST_CACHE, cacheDir: TEST_CACHE, logger, maxGuests: 2 });
  let turns = 0;
  return {
    probe: PROBE,
    close: () => sandbox.close(),
    run: ({ code, entry, keyword, tenant, limits, hostFunctions }) => {
      turns += 1;
      const onHostCall: HostCallHandler = async (call, signal) => {
        const perform = call.op === "tool" ? hostFunctions[call.name] : undefined;
        if (call.op === "http" || !perform) return { status: 500, reason: "no network", text: "" };
        return { status: 200, reason: "", text: JSON.stringify(await perform(call.args, signal)) };
      };
      return sandbox.run(
        { code, filename: "python_code.py", entry, keyword, toolNames: Object.keys(hostFunctions), context: CONTEXT },
        { tenant, turn: `turn ${turns}`, limits, onHostCall },
      );
    },
  };
}
