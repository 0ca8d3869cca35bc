// Puts the chat of `?deployment=…` on this page and writes down what it tells.
const parameters = new URLSearchParams(location.search);
const deployment = parameters.get("deployment") ?? "";
const chosen = document.getElementById("chosen");
const heard = document.getElementById("heard");

if (deployment === "") {
  const missing = document.createElement("p");
  missing.textContent =
    "No deployment is named. Open this page from Connect in the console, or add ?deployment=projects/…/deployments/… to its address.";
  chosen.append(missing);
} else {
  const chat = document.createElement("frontdesk-chat");
  chat.setAttribute("deployment", deployment);
  for (const name of ["theme", "chat-title", "language-code", "welcome-event"]) {
    if (parameters.has(name)) chat.setAttribute(name, parameters.get(name));
  }
  document.body.append(chat);
  const shown = document.createElement("pre");
  shown.tabIndex = 0;
  shown.textContent = `<script src="${location.origin}/widget.js" async></script>\n<frontdesk-chat deployment="${deployment}"></frontdesk-chat>`;
  chosen.append(shown);
  for (const name of [
    "frontdesk-open",
    "frontdesk-message",
    "frontdesk-payload",
    "frontdesk-tool-call",
    "frontdesk-end",
    "frontdesk-error",
  ]) {
    chat.addEventListener(name, ({ detail }) => {
      const line = document.createElement("li");
      line.textContent = `${name} ${JSON.stringify(detail)}`;
      heard.append(line);
    });
  }
}
