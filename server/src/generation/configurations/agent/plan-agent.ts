import { clone } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { GenerateAppResourceOperationMetadata_GenerationType as GenerationType } from "@frontdesk/protos/ces/agent_service";
import { z } from "zod";
import { invalidArgument } from "#status";
import { MATERIAL_IS_DATA } from "../../author/material.ts";
import { INSTRUCTION_GUIDE } from "../../prompts/guides.ts";
import { contextViolations } from "../context-violations.ts";
import type { Job, PlanJob } from "../job.ts";
import { refinedResource } from "./refined-resource.ts";
import { rewriteResource } from "./rewrite-resource.ts";

const Shape = z.object({
  explanation: z.string().max(4_000).describe("What you wrote or changed, and why, for the author."),
  instruction: z.string().min(1).max(100_000),
});

/** An agent alone: without an instruction one is written from its description, and one that it has is put in order (GEN-2). */
export const planAgent: PlanJob = (subject): Job => {
  const resource = refinedResource(subject);
  if (resource.part !== "agents") throw new Error("an agent is planned without one");
  const { instruction, description, displayName } = resource.value;
  const isNew = instruction.trim() === "";
  const violations = [
    ...contextViolations(instruction, "agent.instruction"),
    ...contextViolations(description, "agent.description"),
  ];
  if (isNew && description.trim() === "")
    violations.push({ field: "agent.description", description: "Say what the agent is for, or give an instruction." });
  if (displayName === "") violations.push({ field: "agent.display_name", description: "Required field is not set." });
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    type: isNew ? GenerationType.AGENT_CREATE : GenerationType.AGENT_RESTRUCTURE,
    needsModel: true,
    run: (work) =>
      rewriteResource(
        {
          resource,
          base: subject.base,
          caller: isNew ? "generate agent" : "restructure agent",
          task: [isNew ? CREATE : RESTRUCTURE, INSTRUCTION_GUIDE, MATERIAL_IS_DATA].join("\n\n"),
          material: [["agent", JSON.stringify({ name: displayName, description, instruction }, null, 1)]],
          shape: Shape,
          rewrite: (current, answer) => ({ resource: withInstruction(current, answer.instruction), problems: [] }),
        },
        work,
      ),
  };
};

const CREATE =
  "You write the instruction of the agent in <agent>, from its description, for the app in <app>. If <wrong> lists faults of your last answer, mend them. Answer with JSON.";

const RESTRUCTURE =
  "You put the instruction of the agent in <agent> in order, in the form below: every rule and fact in it stays, nothing is added. <app> is the app " +
  "around it. If <wrong> lists faults of your last answer, mend them. Answer with JSON.";

function withInstruction(resource: ReturnType<typeof refinedResource>, instruction: string) {
  if (resource.part !== "agents") return resource;
  const value = clone(AgentSchema, resource.value);
  value.instruction = instruction;
  return { part: "agents" as const, value };
}
