// The commands that speak HTTP to an installation with an API key. Those that open its database
// are in src/cli.

import { type Lines, runCommand } from '#cli/run-command.ts';
import { completionCommand, listOtherCommands } from './completion.ts';
import { listenToEvents } from './listen.ts';
import { listProfiles, login, logout, useProfile } from './login.ts';
import { logs } from './logs.ts';
import { serveTools } from './mcp.ts';
import { openPage } from './open-page.ts';
import { checkoutCreate, remoteCheckoutShow } from './remote-checkout.ts';
import type { RemoteCommand, RemoteContext } from './remote-command.ts';
import {
  remoteSandboxExpire,
  remoteSandboxMine,
  remoteSandboxPay,
  sandboxAdvance,
} from './remote-sandbox.ts';
import { triggerEvent } from './trigger.ts';

const REMOTE_COMMANDS: readonly RemoteCommand[] = [
  login,
  logout,
  useProfile,
  listProfiles,
  listenToEvents,
  triggerEvent,
  logs,
  openPage,
  checkoutCreate,
  remoteCheckoutShow,
  remoteSandboxPay,
  remoteSandboxMine,
  remoteSandboxExpire,
  sandboxAdvance,
  serveTools,
  completionCommand(() => REMOTE_COMMANDS),
];

/** Gives the exit code. */
export function runRemoteCommand(
  args: readonly string[],
  lines: Lines,
  context: RemoteContext,
): Promise<number> {
  const program = {
    commands: REMOTE_COMMANDS,
    others: listOtherCommands,
    about:
      'What asks an installation over HTTP goes by --profile NAME, or QUITTANCE_URL, QUITTANCE_KEY\n' +
      'and QUITTANCE_SECRET, or the profile that was chosen. checkout show, sandbox pay, mine and\n' +
      'expire ask beside the database unless one of the first two is given. What works beside a\n' +
      'running server, or alone, takes the same DATA_DIR or DATABASE_URL.',
  };
  return runCommand(program, args, lines, () => ({ context, close: async () => undefined }));
}
