import { testManyConversations } from "./test-many-conversations.ts";

testManyConversations(400);
