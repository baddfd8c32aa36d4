// What the commands that ask an installation over HTTP are given, and the options they share.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Command, textOption, type Values } from '#cli/command.ts';
import { findProfile, type Profile, type Variables } from './profile.ts';
import { type InstallationClient, openRemoteClient } from './remote-client.ts';

export type RemoteContext = {
  readonly environment: Variables;
  /** What relative paths begin at. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Lines of a command that runs on. */
  say(text: string): void;
  complain(text: string): void;
  /** Of a person, or a line of a pipe. */
  askText(prompt: string): Promise<string>;
  askSecret(prompt: string): Promise<string>;
  /** Aborted when the process is to end. */
  readonly ended: AbortSignal;
  /** Shows an address in a browser, where there is one. */
  showInBrowser(url: string): void;
  /** Pieces of the standard input, and where answers to it go. */
  readonly input: AsyncIterable<string | Uint8Array>;
  readText(path: string): Promise<string>;
};

export type RemoteCommand = Command<RemoteContext>;

export const PROFILE_OPTION = { profile: { type: 'string' } } as const;
export const PROFILE_USAGE = '[--profile NAME]';
export const PROFILE_EXPLAINED = {
  '--profile NAME': 'another installation than the chosen one (npx quittance profiles)',
} as const;
export const LIVE_EXPLAINED = {
  '--allow-live': 'take a live key, too: this is done with real money',
} as const;
export const LIVE_OPTION = { 'allow-live': { type: 'boolean' } } as const;
export const LIVE_USAGE = '[--allow-live]';

export type Remote = {
  readonly profile: Profile;
  readonly client: InstallationClient;
};

/** With whatever key there is. @throws Refusal */
export function openRemote(context: RemoteContext, values: Values): Remote {
  const profile = findProfile(context.environment, textOption(values, 'profile'));
  return { profile, client: openRemoteClient(profile, context) };
}

/**
 * For what a live key should not do by mistake. Asks the installation which kind of key it is.
 * @throws Refusal forbidden `test_key_required` with a live key, unless --allow-live is given
 */
export async function openTestRemote(context: RemoteContext, values: Values): Promise<Remote> {
  const remote = openRemote(context, values);
  const { json } = await remote.client.get('/auth-test');
  if (String(json.environment) === 'test' || values['allow-live'] === true) return remote;
  throw new Refusal('forbidden', 'test_key_required', [
    'this is a live key: use a profile with a test key, or --allow-live where the command has it',
  ]);
}
