// Hands tool calls of OpenCode to the guard of eco-mem, which may refuse them. See
// .agents/skills/eco-mem/references/guard.md; the template owns this file.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const SCRIPT = ".agents/skills/eco-mem/scripts/hook.py";
// The exit code of a refusal: one that no Python exits with by itself.
const REFUSED = 42;

export const EcoMem = async ({ directory }) => {
  // The outermost folder with the script, up to the one that git knows.
  let root = directory;
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, SCRIPT))) root = at;
    const found = existsSync(join(root, SCRIPT));
    if ((found && existsSync(join(at, ".git"))) || dirname(at) === at) break;
  }
  const [starts, working] = [{}, {}];

  // What the guard answers to an event; nothing if it is missing or fails.
  const ask = (name, id, more) => {
    if (!existsSync(join(root, SCRIPT))) return {};
    const event = { hook_event_name: name, session_id: id, cwd: directory };
    const input = JSON.stringify({ ...event, ...more });
    const options = { input, encoding: "utf8", timeout: 10000 };
    return spawnSync(
      "python3",
      ["-ES", join(root, SCRIPT), String(REFUSED)],
      options,
    );
  };
  const told = ({ stdout }) => (stdout ? JSON.parse(stdout) : {});

  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const call = { tool_name: tool, tool_input: args, tool_use_id: callID };
      const { status, stderr } = ask("PreToolUse", sessionID, call);
      if (status === REFUSED) throw new Error(stderr.trim());
    },
    "experimental.chat.system.transform": async ({ sessionID: id }, to) => {
      starts[id] ??= told(ask("SessionStart", id, { source: "startup" }));
      const { hookSpecificOutput: start } = starts[id];
      if (start) to.system.push(start.additionalContext);
      // A turn cannot be kept going here. The next one, maybe of another process,
      // is told what the last one left behind.
      const { reason } = working[id] ? {} : told(ask("Stop", id));
      if (reason) to.system.push(reason);
      working[id] = true;
    },
    event: async ({ event: { type, properties } }) => {
      const id = properties?.sessionID ?? properties?.info?.id;
      if (type === "session.compacted") delete starts[id];
      if (type === "session.created") working[id] = true;
      if (type === "session.idle") working[id] = false;
    },
  };
};
